import { render } from '@testing-library/react'

const user = { name: 'Ada' }

/** A row of the list. */
export const Row = ({ item, onPick }) => {
  const handleClick = () => onPick(item)
  return <li onClick={handleClick}>{item.name}</li>
}

const List = React.memo(function List({ items }) {
  return <ul>{items.map((item) => <Row key={item.id} item={item} />)}</ul>
})

class Page extends React.Component {
  state = { open: false }

  render() {
    return <List items={this.props.items} />
  }
}

describe('List', () => {
  let rows

  beforeEach(() => {
    rows = []
  })

  // regression
  it('shows "no rows" when empty', async () => {
    const stub = () => {}
    expect(render(<List items={rows} />)).toBeTruthy()
  })

  it.skip(`is ${slow}`, function (done) { done() })

  test.each([[1], [2]])('has %i rows', (count) => {
    expect(count).toBeGreaterThan(0)
  })
})

export default {
  title: 'List',
  setup() {
    return {}
  },
}
