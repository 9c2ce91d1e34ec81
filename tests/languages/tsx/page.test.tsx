import { render, screen } from '@testing-library/react'

const Wrapper: React.FC = ({ children }) => <ThemeContext.Provider>{children}</ThemeContext.Provider>

describe('<List />', () => {
  const renderList = (props: Partial<Props<Item>> = {}) => render(<List items={[]} {...props} />)

  it('renders nothing', () => {
    renderList()
    expect(screen.queryByRole('listitem')).toBeNull()
  })

  it('calls back', async () => {
    const spy: Mock = vi.fn()
    renderList({ onPick: (item) => spy(item) })
  })
})
