import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { desktop, faults, show } from '../../page-testing.tsx'
import { ListPage } from './ListPage.tsx'

type Pump = { id: string; name: string }
type Answer = () => Promise<Pump[]>

const columns = [
  {
    id: 'name',
    label: 'Name',
    width: 200,
    value: ({ name }: Pump) => name,
    cell: ({ name }: Pump) => name,
  },
]
let answer: Answer = async () => []
let cleared = 0
afterEach(() => {
  cleared = 0
})

function Pumps({ searched }: { searched: boolean }) {
  const list = useQuery({ queryKey: ['pumps'], queryFn: () => answer(), retry: false })
  return (
    <ListPage
      title="Pumps"
      count={list.data?.length}
      name="pumps"
      columns={columns}
      rows={list.data ?? []}
      rowId={({ id }) => id}
      total={40}
      list={list}
      none={{ title: 'No pumps yet' }}
      filtered={
        searched
          ? { title: 'No pump fits', clear: 'Clear search', onClear: () => void (cleared += 1) }
          : undefined
      }
      panel={<aside>Details</aside>}
    />
  )
}

const open = async (how: Answer, searched = false) => {
  await desktop()
  answer = how
  return show(
    <QueryClientProvider client={new QueryClient()}>
      <Pumps searched={searched} />
    </QueryClientProvider>,
  )
}

test('a list page has a heading with the number of things, a table of its name and a panel', async () => {
  await open(async () => [{ id: '1', name: 'Pump 1' }])
  await expect.element(page.getByRole('heading', { level: 1, name: 'Pumps' })).toBeVisible()
  await expect.element(page.getByRole('grid', { name: 'Pumps' })).toBeVisible()
  await expect.element(page.getByRole('row', { name: /Pump 1/ })).toBeVisible()
  await expect.element(page.getByText('1', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Details')).toBeVisible()
  // One answer holds the whole list: nothing is drawn for rows that never come.
  expect(page.getByRole('row').elements()).toHaveLength(2)
  const grid = document.querySelector('[role=grid] [role=rowgroup]:last-child')
  expect(grid?.children).toHaveLength(1)
  expect(await faults()).toEqual([])
})

test('while the rows load their outline is shown, and nothing says that there are none', async () => {
  await open(() => new Promise(() => undefined))
  await expect.poll(() => document.querySelectorAll('[data-skeleton]').length).toBe(1)
  expect(page.getByText('No pumps yet').elements()).toEqual([])
})

test('a failed list says so and is asked for again on request', async () => {
  await open(async () => {
    throw new Error('broken')
  })
  await expect.element(page.getByRole('alert')).toBeVisible()
  answer = async () => [{ id: '1', name: 'Pump 1' }]
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('row', { name: /Pump 1/ })).toBeVisible()
  expect(page.getByRole('alert').elements()).toEqual([])
})

test('an empty list says that nothing exists, and a filter without results offers to be cleared', async () => {
  const { unmount } = await open(async () => [])
  await expect.element(page.getByText('No pumps yet')).toBeVisible()
  await unmount()
  await open(async () => [], true)
  await page.getByRole('button', { name: 'Clear search' }).click()
  expect(cleared).toBe(1)
  expect(page.getByText('No pumps yet').elements()).toEqual([])
})
