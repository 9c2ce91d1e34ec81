import type { Metadata } from 'next'

export const metadata: Metadata = { title: 'Shop' }
export const revalidate = 60

export async function generateStaticParams() {
  return []
}

// Everything is inside this.
export default async function RootLayout({
  children,
}: {
  children: React.ReactNode
}) {
  return <html>{children}</html>
}

export namespace RootLayout {
  export type Slots = 'header' | 'footer'
}

function Broken() {
  return <div><span></div>
}

export const Footer = () => <footer />

declare module 'react' {
  interface CSSProperties {
    [key: `--${string}`]: string
  }
}

export function assertNever(value: never): asserts value is never {
  throw new Error(String(value))
}

export const Styled = styled.div<{ $active: boolean }>`
  color: red;
`

const useStore = create<Store>()((set) => ({
  count: 0,
  increment: () => set((state) => ({ count: state.count + 1 })),
  reset() {},
}))
