import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { DropAt } from '../../parts/models/ModelTree.tsx'
import {
  childrenOf,
  kindOf,
  nameOf,
  nodeAt,
  type NodeId,
  parentOf,
  type TreeRow,
} from '../../parts/models/model-tree-rules.ts'
import {
  duplicate,
  freshNode,
  insert,
  isMovable,
  mayMove,
  move,
  moveBy,
  placeFor,
  remove,
} from './model-tree-edits.ts'
import { addInstances } from './model-tree-instances.ts'
import type { ModelEditing } from './use-model-editor.ts'

const arrows: Record<string, 'up' | 'down' | 'out' | 'in'> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'out',
  ArrowRight: 'in',
}

/** Actions on the tree, the same from buttons, keys and dragging. */
export function useTreeActions(editing: ModelEditing) {
  const t = useWords()
  const toast = useToast()
  const [named, setNamed] = useState(0)
  const dragged = useRef<readonly NodeId[]>([])
  const { root, chosen, active, edit } = editing

  const add = (type: string) => {
    const node = freshNode(type)
    const wanted = kindOf(node) === 'leaf' ? 'value' : type
    edit(insert(root, placeFor(root, active, node), [wanted, node]))
    setNamed((count) => count + 1)
  }
  const take = () => {
    const gone = chosen.filter(isMovable)
    if (gone.length === 0) return
    edit(remove(root, gone))
    toast({
      message: t('models.removed', { name: nameOf(gone[0] ?? ''), count: gone.length }),
      action: { label: t('models.undo'), run: editing.undo },
    })
  }
  const copy = () => edit(duplicate(root, chosen))
  const place = (row: TreeRow, at: DropAt) => dropPlaceOf(editing, row, at)

  const keys: Record<string, () => void> = {
    Delete: take,
    Backspace: take,
    Insert: () => add('double'),
    F2: () => setNamed((count) => count + 1),
    Enter: () => setNamed((count) => count + 1),
  }
  const onKey = (event: KeyboardEvent<HTMLElement>, row: TreeRow) => {
    const { key, altKey, ctrlKey, metaKey } = event
    const direction = altKey ? arrows[key] : undefined
    if (direction) edit(moveBy(root, row.id, direction))
    else if ((ctrlKey || metaKey) && key === 'd') copy()
    else if (!ctrlKey && !metaKey && !altKey && keys[key]) keys[key]()
    else return false
    return true
  }
  return {
    add,
    remove: take,
    duplicate: copy,
    /** So many more of the chosen node. */
    addInstances: (count: number) => edit(addInstances(root, active, count)),
    isMovable,
    /** Counts up when the name of the chosen node should be typed. */
    named,
    toName: () => setNamed((count) => count + 1),
    tree: {
      onKey,
      onDragStart: (row: TreeRow, data: DataTransfer) => {
        dragged.current = chosen.includes(row.id) ? chosen : [row.id]
        data.effectAllowed = 'move'
        data.setData('text/plain', nameOf(row.id))
      },
      mayDrop: (row: TreeRow, at: DropAt) => {
        const target = place(row, at)
        return target !== undefined && mayMove(root, dragged.current, target.parent)
      },
      onDrop: (row: TreeRow, at: DropAt) => {
        const target = place(row, at)
        if (target) edit(move(root, dragged.current, target))
        dragged.current = []
      },
    },
  }
}
export type TreeActions = ReturnType<typeof useTreeActions>

/** Into a container at its end, or among the neighbours of a line. */
function dropPlaceOf({ root }: ModelEditing, { id, node }: TreeRow, at: DropAt) {
  if (at === 'into' || id === '') return { parent: id, index: childrenOf(node).length }
  const parent = parentOf(id)
  const holder = nodeAt(root, parent)
  if (!holder) return undefined
  const index = childrenOf(holder).findIndex(([name]) => name === nameOf(id))
  return { parent, index: at === 'before' ? index : index + 1 }
}
