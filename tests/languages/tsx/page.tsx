import React, { forwardRef, memo } from 'react'

interface Props<T> {
  items: T[]
  onPick?: (item: T) => void
}

type State = { open: boolean }

const PAGE_SIZE = 20

export const ThemeContext = React.createContext<Theme | null>(null)

/** The theme in force here. */
export function useTheme(): Theme {
  const theme = React.useContext(ThemeContext)
  return theme!
}

/**
 * A list that people pick from.
 */
export function List<T extends { id: string }>({ items, onPick }: Props<T>) {
  const [open, setOpen] = React.useState(false)
  const handlePick = React.useCallback((item: T) => onPick?.(item), [onPick])

  function toggle() {
    setOpen(!open)
  }

  return (
    <ul onClick={() => toggle()}>
      {items.map((item) => (
        <li key={item.id} onClick={() => handlePick(item)} />
      ))}
    </ul>
  )
}

export const Button: React.FC<{ label: string }> = ({ label }) => <button>{label}</button>

export const Input = forwardRef<HTMLInputElement, InputProps>((props, ref) => {
  return <input ref={ref} {...props} />
})

const Row = memo(function Row({ item }: { item: string }) {
  return <li>{item}</li>
})

export const withTheme =
  <P extends object>(Inner: React.ComponentType<P>) =>
  (props: P) => <Inner {...props} />

class Boundary extends React.Component<Props<string>, State> {
  static displayName = 'Boundary'
  state: State = { open: false }

  static getDerivedStateFromError(error: Error): Partial<State> {
    return { open: true }
  }

  private readonly handleError = (error: Error): void => {
    this.setState({ open: true })
  }

  override render() {
    return this.props.children
  }
}

export enum Size { Small = 's', Large = 'l' }

export const loader = async ({ params }: LoaderArgs) => ({ id: params.id })

export default memo(List)
