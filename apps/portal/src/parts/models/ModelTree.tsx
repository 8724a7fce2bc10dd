import { useVirtualizer } from '@tanstack/react-virtual'
import { IconBox, IconBrackets, IconChevronRight, IconComponents } from '@tabler/icons-react'
import {
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import classes from './ModelTree.module.css'
import type { NodeId, NodeKind, TreeRow } from './model-tree-rules.ts'
import { useModelTreeKeys } from './use-model-tree-keys.ts'

/** Place of a drop: at a line's upper edge, on it, or at its lower edge. */
export type DropAt = 'before' | 'into' | 'after'

type ModelTreeProps = {
  label: string
  rows: readonly TreeRow[]
  chosen: ReadonlySet<NodeId>
  /** The line that the keys move from. */
  active: NodeId
  onChoose: (chosen: NodeId[], active: NodeId) => void
  onToggle: (id: NodeId, open: boolean) => void
  /** Label of a line; absent: its property name. */
  renderName?: (row: TreeRow) => ReactNode
  /** At the end of a line: unit, link, state. */
  renderBeside?: (row: TreeRow) => ReactNode
  /** Lines with something wrong, and what. */
  faults?: ReadonlyMap<NodeId, string>
  onKey?: (event: KeyboardEvent<HTMLElement>, row: TreeRow) => boolean
  onOpen?: (row: TreeRow) => void
  /** Lines that may be dragged, and what they carry. */
  onDragStart?: (row: TreeRow, data: DataTransfer) => void
  mayDrop?: (row: TreeRow, at: DropAt, data: DataTransfer) => boolean
  onDrop?: (row: TreeRow, at: DropAt, data: DataTransfer) => void
  /** Drops are accepted on lines only, not between two. */
  dropsOn?: boolean
}

const height = 30

/**
 * The tree of a model: thousands of lines, wholly by keyboard. The tree holds the focus and says
 * which line is active; dragging is a second way to what the keys do.
 */
export function ModelTree(props: ModelTreeProps) {
  const { label, rows, chosen, active, onChoose, onToggle, onKey } = props
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 10,
  })
  const at = rows.findIndex((row) => row.id === active)
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' })
  }, [virtual, at])
  const perPage = 10
  const keys = useModelTreeKeys({ rows, active, chosen, perPage, onChoose, onToggle, onKey })
  const [over, setOver] = useState<{ id: NodeId; at: DropAt }>()
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={label}
      aria-multiselectable="true"
      aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
      tabIndex={0}
      className={classes.tree}
      onKeyDown={keys.onKeyDown}
      onDragLeave={() => setOver(undefined)}
      onDragEnd={() => setOver(undefined)}
    >
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          return (
            row && (
              <Line
                key={row.id}
                {...props}
                row={row}
                lineId={`${id}-${index}`}
                start={start}
                over={over?.id === row.id ? over.at : undefined}
                onOver={(drop) => setOver(drop && { id: row.id, at: drop })}
                onPick={(how) => keys.choose(row.id, how)}
              />
            )
          )
        })}
      </div>
    </div>
  )
}

type LineProps = ModelTreeProps & {
  row: TreeRow
  lineId: string
  start: number
  over: DropAt | undefined
  onOver: (at: DropAt | undefined) => void
  onPick: (how: { range: boolean; beside: boolean }) => void
}

function Line(props: LineProps) {
  const { row, chosen, active, faults, onToggle, onPick, over, onOver } = props
  const fault = faults?.get(row.id)
  const placeOf = (event: DragEvent<HTMLElement>) =>
    props.dropsOn ? 'into' : dropAt(event, row.kind)
  const drag = (event: DragEvent<HTMLElement>) => {
    const at = placeOf(event)
    if (!props.mayDrop?.(row, at, event.dataTransfer)) return onOver(undefined)
    event.preventDefault()
    onOver(at)
  }
  return (
    // The keys of a line are handled by the tree around it, which holds the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      role="treeitem"
      id={props.lineId}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={row.open}
      aria-selected={chosen.has(row.id)}
      data-fault={fault !== undefined || undefined}
      title={fault}
      data-active={row.id === active || undefined}
      data-over={over}
      className={classes.line}
      style={{ transform: `translateY(${props.start}px)`, paddingLeft: (row.level - 1) * 18 + 4 }}
      draggable={props.onDragStart !== undefined && row.id !== ''}
      onDragStart={(event) => props.onDragStart?.(row, event.dataTransfer)}
      onDragOver={drag}
      onDrop={(event) => {
        event.preventDefault()
        onOver(undefined)
        props.onDrop?.(row, placeOf(event), event.dataTransfer)
      }}
      onClick={(event) => onPick({ range: event.shiftKey, beside: event.ctrlKey || event.metaKey })}
      onDoubleClick={() => props.onOpen?.(row)}
    >
      <span
        aria-hidden="true"
        className={classes.toggle}
        data-open={row.open}
        onClick={(event) => {
          if (row.open === undefined) return
          event.stopPropagation()
          onToggle(row.id, !row.open)
        }}
      >
        {row.open !== undefined && <IconChevronRight size={14} stroke={1.8} />}
      </span>
      <KindIcon kind={row.kind} />
      <span
        className={classes.name}
        title={row.name}
        data-deprecated={row.node['deprecated'] === true || undefined}
      >
        {props.renderName ? props.renderName(row) : row.name}
      </span>
      {props.renderBeside?.(row)}
    </div>
  )
}

const icons = { object: IconBox, struct: IconComponents, array: IconBrackets, leaf: undefined }

function KindIcon({ kind }: { kind: NodeKind }) {
  const Icon = icons[kind]
  return (
    <span aria-hidden="true" className={classes.icon} data-kind={kind}>
      {Icon && <Icon size={15} stroke={1.6} />}
    </span>
  )
}

/** Containers take things in on their middle; leaves have only a place before and one after. */
function dropAt(event: DragEvent<HTMLElement>, kind: NodeKind): DropAt {
  const { top, height: whole } = event.currentTarget.getBoundingClientRect()
  const part = (event.clientY - top) / whole
  if (kind === 'object' || kind === 'struct') {
    if (part > 0.25 && part < 0.75) return 'into'
  }
  return part < 0.5 ? 'before' : 'after'
}
