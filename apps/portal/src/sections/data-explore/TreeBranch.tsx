import { useTreeKeys } from '@longreach/ui/use-tree-keys'
import { IconChevronRight } from '@tabler/icons-react'
import { createContext, type ReactNode, use } from 'react'
import tree from './tree.module.css'
import classes from './TreeBranch.module.css'
import type { Line } from './explore-url.ts'
import type { DeviceValue } from './use-kept-values.ts'

/** State that every item of the tree reads: drawn lines, the item with the focus, marked items. */
type TreeState = {
  lines: readonly Line[]
  /** Organizations that hold a device that is drawn, or are above one. */
  places: ReadonlySet<string>
  active: string
  setActive: (id: string) => void
  onChoose: (device: string, path: string) => void
  isFavourite: (device: string, path: string) => boolean
  toggleFavourite: (favourite: DeviceValue) => void
}
const TreeContext = createContext<TreeState | undefined>(undefined)
export const TreeProvider = TreeContext.Provider

/** The state of the tree around an item. */
export function useTree() {
  const state = use(TreeContext)
  if (state === undefined) throw new Error('an item of the tree needs its provider above it')
  return state
}

type ItemProps = {
  id: string
  level: number
  /** Absent for a leaf. */
  opened?: boolean
  selected?: boolean
  disabled?: boolean
  row: ReactNode
  title?: string
  onPress: () => void
  /** Data that a drag of the item carries. */
  drag?: string
  children?: ReactNode
}

/** The kind of data that a dragged value is. */
export const dragType = 'application/x-longreach-value'

/** One item of the tree with its row and, below it, its children. */
export function TreeBranch(props: ItemProps) {
  const { id, level, opened, selected, disabled, row, title, onPress, drag, children } = props
  const { active, setActive } = useTree()
  return (
    <li role="none">
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree around it has the keys */}
      <div
        role="treeitem"
        aria-level={level}
        aria-expanded={opened}
        aria-selected={opened === undefined ? selected === true : undefined}
        aria-disabled={disabled || undefined}
        tabIndex={active === id ? 0 : -1}
        className={tree.row}
        style={{ paddingLeft: (level - 1) * 12 + 4 }}
        title={title}
        draggable={drag !== undefined && !disabled}
        onFocus={(event) => {
          if (event.target === event.currentTarget) setActive(id)
        }}
        onDragStart={(event) => {
          event.dataTransfer.setData(dragType, drag ?? '')
          event.dataTransfer.effectAllowed = 'copy'
        }}
        // The keys are the tree's: Enter and Space come here as clicks.
        onClick={() => {
          setActive(id)
          if (!disabled) onPress()
        }}
      >
        <IconChevronRight
          size={13}
          className={classes.chevron}
          data-opened={opened || undefined}
          visibility={opened === undefined ? 'hidden' : 'visible'}
        />
        {row}
      </div>
      {opened && <ul role="group">{children}</ul>}
    </li>
  )
}

/** A tree with its keys; several values of it may be chosen. */
export function Tree({ label, children }: { label: string; children: ReactNode }) {
  const onKeyDown = useTreeKeys(markFavourite)
  return (
    <ul
      role="tree"
      aria-label={label}
      aria-multiselectable
      className={classes.tree}
      onKeyDown={onKeyDown}
    >
      {children}
    </ul>
  )
}

/** F marks a value as a favourite, or takes the mark away. */
function markFavourite(key: string, item: HTMLElement) {
  if (key !== 'f') return false
  item.querySelector<HTMLElement>('[data-favourite]')?.click()
  return true
}
