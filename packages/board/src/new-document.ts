import { boardSchema, type Document } from './document.ts'
import { newId } from './id.ts'
import type { GroupNode, PageNode } from './node.ts'

const fields = { phone: {}, look: {}, bind: {}, format: {}, acts: {} }

/** Page with its root group, a grid. */
export function newPage(title: string): { page: PageNode; root: GroupNode } {
  const box = { x: 0, y: 0, w: 1, h: 1, r: 0 }
  const page: PageNode = {
    ...fields,
    id: newId(),
    kind: 'page',
    type: 'page',
    parent: null,
    order: 'V',
    name: title,
    box,
    props: { title },
  }
  const root: GroupNode = {
    ...fields,
    id: newId(),
    kind: 'group',
    type: 'group',
    parent: page.id,
    order: 'V',
    name: '',
    box,
    props: { layout: 'grid' },
  }
  return { page, root }
}

/** Document of a new board: one page, its root group, and nothing on it. */
export function newDocument(kind: Document['kind'] = 'dashboard', title = ''): Document {
  const { page, root } = newPage(title)
  return {
    format: 'longreach-board',
    schema: boardSchema,
    kind,
    settings: {},
    slots: {},
    variables: {},
    maps: {},
    bands: {},
    pages: [page.id],
    nodes: { [page.id]: page, [root.id]: root },
  }
}
