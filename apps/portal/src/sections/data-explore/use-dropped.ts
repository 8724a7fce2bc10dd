import { type DragEvent, useState } from 'react'
import { type ExploreState, type Line, parseLines, withLine } from './explore-url.ts'
import { dragType } from './TreeBranch.tsx'

/** Handlers of an element onto which values of the tree may be dropped; `data-over` while one hovers. */
export function useDropped(
  { lines, formulas }: Pick<ExploreState, 'lines' | 'formulas'>,
  onLines: (lines: readonly Line[]) => void,
) {
  const [over, setOver] = useState(false)
  const carries = (event: DragEvent) => event.dataTransfer.types.includes(dragType)
  return {
    'data-over': over || undefined,
    onDragOver: (event: DragEvent) => {
      if (!carries(event)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false) // the node that the pointer goes to
    },
    onDrop: (event: DragEvent) => {
      setOver(false)
      if (!carries(event)) return
      event.preventDefault()
      const [dropped] = parseLines([event.dataTransfer.getData(dragType)])
      if (dropped) onLines(withLine(lines, dropped, formulas))
    },
  }
}
