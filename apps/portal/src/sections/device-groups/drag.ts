import type { DragEvent } from 'react'
import { type Entry, kinds } from './draft-rules.ts'

const format = 'application/x-longreach-entries'

/** Take entries along with the pointer. */
export function dragEntries(event: DragEvent, entries: readonly Entry[]) {
  event.dataTransfer.setData(format, JSON.stringify(entries))
  event.dataTransfer.effectAllowed = 'copy'
}

/** Are entries dragged over the place, and not a file or a text? */
export const carriesEntries = (event: DragEvent) => event.dataTransfer.types.includes(format)

/** Entries that were dropped; none when the drag came from elsewhere. */
export function droppedEntries(event: DragEvent): Entry[] {
  try {
    const dropped: unknown = JSON.parse(event.dataTransfer.getData(format))
    return Array.isArray(dropped) ? dropped.filter(isEntry) : []
  } catch {
    return [] // not dragged from one of our panes
  }
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'label' in value &&
  'kind' in value &&
  kinds.some((kind) => kind === value.kind)
