import { useCallback, useMemo, useState } from 'react'
import {
  childId,
  childrenOf,
  type ModelNode,
  nodeAt,
  nodesOf,
  type NodeId,
  parentOf,
  rowsOf,
} from '../../parts/models/model-tree-rules.ts'
import type { Edited } from './model-tree-edits.ts'
import { filledTree } from './model-tree-parameters.ts'
import { useUndo } from '@longreach/ui/use-undo'

/** A model's tree while somebody edits it: what is chosen, open and found, and the way back. */
export function useModelEditor(start: ModelNode) {
  const { now: root, change: setRoot, undo, redo, canUndo, canRedo, restart } = useUndo(start)
  const [choice, setChoice] = useState<{ chosen: readonly NodeId[]; active: NodeId }>(nothingChosen)
  const [closed, setClosed] = useState<ReadonlySet<NodeId>>(() => closedAtFirst(start))
  const [filter, setFilter] = useState('')
  const rows = useMemo(() => rowsOf(root, { closed, filter }), [root, closed, filter])
  const chosen = choice.chosen.filter((id) => nodeAt(root, id))

  const toggle = useCallback((id: NodeId, open: boolean) => {
    setClosed((before) => {
      const next = new Set(before)
      if (open) next.delete(id)
      else next.add(id)
      return next
    })
  }, [])
  const choose = useCallback((ids: readonly NodeId[], active = ids.at(-1) ?? '') => {
    setChoice({ chosen: ids, active })
    // What is chosen is seen: everything around it opens.
    setClosed((before) => {
      const around = ids.flatMap(parentsOf).filter((id) => before.has(id))
      return around.length === 0
        ? before
        : new Set([...before].filter((id) => !around.includes(id)))
    })
  }, [])
  const change = useCallback(
    (next: ModelNode, mark?: string) => setRoot(filledTree(next), mark),
    [setRoot],
  )
  const edit = useCallback(
    ({ root: next, chosen: ids }: Edited) => {
      setRoot(filledTree(next))
      choose(ids)
    },
    [choose, setRoot],
  )
  return {
    root,
    rows,
    chosen,
    active: nodeAt(root, choice.active) ? choice.active : (chosen.at(-1) ?? ''),
    filter,
    setFilter,
    choose,
    toggle,
    /** Words of a node: the same mark again belongs to the change before. */
    change,
    /** The tree's shape; chooses what is new. */
    edit,
    undo,
    redo,
    canUndo,
    canRedo,
    restart,
  }
}
export type ModelEditing = ReturnType<typeof useModelEditor>

const nothingChosen = { chosen: [''], active: '' }
const manyNodes = 200

const parentsOf = (id: NodeId): NodeId[] =>
  id === '' ? [] : [parentOf(id), ...parentsOf(parentOf(id))]

/** A large tree begins with its first level. */
function closedAtFirst(root: ModelNode): ReadonlySet<NodeId> {
  if (nodesOf(root).length < manyNodes) return new Set()
  return new Set(childrenOf(root).map(([name]) => childId('', name)))
}
