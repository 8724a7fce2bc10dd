import { inTab } from '../../parts/kept/remembered.ts'

type Opened = { organization: string; items: Record<string, boolean> }
/** So many are kept, those pressed last. */
const mostItems = 300

/** State of an item of the organization's tree as the person left it in this tab: true when open, undefined when never pressed. */
export const keptOpened = (organization: string, id: string) => itemsOf(organization)[id]

/** Remember in this tab that an item of the organization's tree was opened or closed. */
export function keepOpened(organization: string, id: string, opened: boolean) {
  const { [id]: _, ...others } = itemsOf(organization)
  const items = Object.fromEntries([...Object.entries(others), [id, opened]].slice(-mostItems))
  inTab.set('openedItems', JSON.stringify({ organization, items } satisfies Opened))
}

/** Of another organization nothing is kept. */
function itemsOf(organization: string) {
  const text = inTab.get('openedItems')
  const kept = text === undefined ? undefined : (JSON.parse(text) as Opened) // as written above
  return kept?.organization === organization ? kept.items : {}
}
