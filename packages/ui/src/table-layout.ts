import { createContext, type ReactNode, use, useState, useSyncExternalStore } from 'react'

export type Column<Row> = {
  id: string
  label: string
  /** Least width in px. */
  width: number
  /** Share of the width that is left over; absent: the width is fixed. */
  grow?: number
  align?: 'start' | 'end'
  sortable?: boolean
  /** Off until the person turns it on. */
  hidden?: boolean
  /** Always shown: the column chooser does not offer it. */
  fixed?: boolean
  cell: (row: Row) => ReactNode
  /** Sort key of a row, where the rows are sorted in the browser. */
  value?: (row: Row) => string | number | undefined
  /** Place on a card; absent: not on it. `value` stands on cards alone, also where the column is off. */
  card?: 'title' | 'state' | 'detail' | 'value'
}

export type Sort = { id: string; desc: boolean }

/** Row heights in px: compact, normal, comfortable. */
export const rowHeights = { compact: 28, normal: 34, comfortable: 44 } as const
export type Density = keyof typeof rowHeights
export const densities = Object.keys(rowHeights) as Density[] // its keys are these

export type Layout = {
  /** Columns that the person turned on or off. */
  shown: Record<string, boolean>
  /** Widths in px that the person drew. */
  widths: Record<string, number>
  density: Density
}

type Memory = {
  read: (key: string) => unknown
  write: (key: string, value: unknown) => void
}

const forgetful: Memory = { read: () => undefined, write: () => undefined }
const MemoryContext = createContext<Memory>(forgetful)

/** Provider of the store for a person's columns and row height; without it they are lost on reload. */
export const TableMemory = MemoryContext.Provider

const listeners = new Set<() => void>()
const written = { times: 0 }
const onColumnsWritten = (tell: () => void) => {
  listeners.add(tell)
  return () => void listeners.delete(tell)
}

/** Columns of a table as the person has them, to keep them in a saved view; what is written is shown at once. */
export function useKeptColumns(name: string) {
  const memory = use(MemoryContext)
  return {
    read: () => asShown(memory.read(`table.${name}`)),
    write(shown: Record<string, boolean>) {
      memory.write(`table.${name}`, shown)
      written.times += 1
      for (const tell of listeners) tell()
    },
  }
}

/** The columns of one table and the row height of all of them, as the person set them. */
export function useLayout(name: string) {
  const memory = use(MemoryContext)
  const times = useSyncExternalStore(onColumnsWritten, () => written.times)
  const read = (): Layout => ({
    shown: asShown(memory.read(`table.${name}`)),
    widths: asWidths(memory.read(`table.${name}.widths`)),
    density: asDensity(memory.read('table.density')),
  })
  const [kept, setKept] = useState(() => ({ layout: read(), times }))
  if (kept.times !== times) setKept({ layout: read(), times })
  const change = (next: Layout) => {
    memory.write(`table.${name}`, next.shown)
    memory.write(`table.${name}.widths`, next.widths)
    memory.write('table.density', next.density)
    setKept({ layout: next, times })
  }
  return [kept.layout, change] as const
}

const asDensity = (value: unknown): Density =>
  typeof value === 'string' && Object.hasOwn(rowHeights, value) ? (value as Density) : 'normal'

const asWidths = (value: unknown): Record<string, number> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).flatMap(([id, width]) =>
          typeof width === 'number' && Number.isFinite(width) ? [[id, drawnWidth(width)]] : [],
        ),
      )
    : {}

const [narrowest, widest] = [48, 800]
/** A width that a column can have. */
export const drawnWidth = (width: number) =>
  Math.round(Math.min(widest, Math.max(narrowest, width)))

/** The column as wide as the person drew it. */
export const asDrawn = <Row>(column: Column<Row>, widths: Layout['widths']): Column<Row> => {
  const width = widths[column.id]
  if (width === undefined) return column
  const { grow: _, ...rest } = column
  return { ...rest, width }
}

const asShown = (value: unknown): Record<string, boolean> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).filter(
          (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
        ),
      )
    : {}
