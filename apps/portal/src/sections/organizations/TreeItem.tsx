import { hasCapability } from '@longreach/authorization/product-capabilities'
import { Tag } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { IconChevronDown, IconChevronRight, IconLock } from '@tabler/icons-react'
import { useIntl } from 'react-intl'
import { useErrorText } from '../../parts/words/error-text.ts'
import { type TreeNode, useBranch } from './organization-calls.ts'
import shared from './organizations.module.css'
import classes from './TreeItem.module.css'

/** State that all items of a tree share. */
export type Branch = {
  chosen: string
  onChoose: (org: string) => void
  open: ReadonlySet<string>
  /** Absent where nothing opens. */
  onToggle: ((org: string) => void) | undefined
}

type Node = Pick<
  TreeNode,
  'resourceId' | 'label' | 'name' | 'dealer' | 'children' | 'userCanAccess' | 'path'
>
type ItemProps = { node: Node; level: number; branch: Branch; withPath?: boolean }

/** One organization of the tree; the arrow opens it, anything else chooses it. */
export function TreeItem({ node, level, branch, withPath = false }: ItemProps) {
  const t = useWords()
  const { resourceId, label, name, children, userCanAccess } = node
  const opens = children > 0 && branch.onToggle !== undefined
  const isOpen = branch.open.has(resourceId)
  const isChosen = branch.chosen === resourceId
  const choose = () => userCanAccess && branch.onChoose(resourceId)
  return (
    // The keys are handled by the tree.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <li
      role="treeitem"
      aria-level={level}
      aria-selected={isChosen}
      {...(opens && { 'aria-expanded': isOpen })}
      {...(!userCanAccess && { 'aria-disabled': true })}
      tabIndex={isChosen || level === 1 ? 0 : -1}
      className={shared.item}
      style={{ paddingInlineStart: 6 + (level - 1) * 16 }}
      title={userCanAccess ? resourceId : t('organizations.closed')}
      onClick={choose}
    >
      <Arrow opens={opens} isOpen={isOpen} onToggle={() => branch.onToggle?.(resourceId)} />
      <span className={classes.itemText}>
        <span className={shared.itemName}>{label || name}</span>
        {withPath && <span className={shared.itemPath}>{node.path.join(' › ')}</span>}
      </span>
      <Marks node={node} counted={level > 1} />
    </li>
  )
}

type ArrowProps = { opens: boolean; isOpen: boolean; onToggle: () => void }

/** Opens and closes for the pointer; the keyboard has its arrows. */
function Arrow({ opens, isOpen, onToggle }: ArrowProps) {
  if (!opens) return <span className={classes.arrow} />
  const Icon = isOpen ? IconChevronDown : IconChevronRight
  return (
    <span
      className={classes.arrow}
      data-toggle
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation()
        onToggle()
      }}
    >
      <Icon size={15} stroke={1.8} />
    </span>
  )
}

function Marks({ node, counted }: { node: Node; counted: boolean }) {
  const t = useWords()
  const intl = useIntl()
  return (
    <>
      {!node.userCanAccess && <IconLock size={14} stroke={1.8} aria-hidden="true" />}
      {node.dealer && hasCapability('dealer') && <Tag tone="warning">{t('shell.tag.dealer')}</Tag>}
      {counted && node.children > 0 && (
        <span className={classes.count}>{intl.formatNumber(node.children)}</span>
      )}
    </>
  )
}

type BranchProps = { at: string; level: number; branch: Branch }

/** Organizations directly below another one, read when that is opened. */
export function BranchItems({ at, level, branch }: BranchProps) {
  const t = useWords()
  const errorText = useErrorText()
  const below = useBranch(at)
  const indent = { paddingInlineStart: 26 + (level - 1) * 16 }
  if (below.error)
    return (
      <li role="none" className={shared.told} style={indent}>
        {errorText(below.error).message}
      </li>
    )
  if (below.isPending)
    return (
      <li role="none" className={shared.told} style={indent}>
        {t('ui.loading')}
      </li>
    )
  const nodes = below.data.pages.flatMap(({ content }) => content)
  const total = below.data.pages[0]?.totalElements ?? 0
  return (
    <>
      {nodes.map((node) => (
        <OpenItem key={node.id} node={node} level={level} branch={branch} />
      ))}
      {nodes.length === 0 && level === 2 && (
        <li role="none" className={shared.told} style={indent}>
          {t('organizations.noneBelow')}
        </li>
      )}
      {below.hasNextPage && (
        // The keys are handled by the tree.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <li
          role="treeitem"
          aria-level={level}
          aria-selected={false}
          tabIndex={-1}
          className={shared.more}
          style={indent}
          onClick={() => void below.fetchNextPage()}
        >
          {t('organizations.moreOf', { count: total - nodes.length })}
        </li>
      )}
    </>
  )
}

function OpenItem({ node, level, branch }: { node: TreeNode; level: number; branch: Branch }) {
  return (
    <>
      <TreeItem node={node} level={level} branch={branch} />
      {node.children > 0 && branch.open.has(node.resourceId) && (
        <BranchItems at={node.resourceId} level={level + 1} branch={branch} />
      )}
    </>
  )
}
