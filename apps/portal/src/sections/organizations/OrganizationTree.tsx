import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { SearchField } from '@longreach/ui/SearchField'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useTreeKeys } from '@longreach/ui/use-tree-keys'
import { useWords } from '@longreach/ui/use-words'
import { useState } from 'react'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useSession } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { useBranch } from './organization-calls.ts'
import shared from './organizations.module.css'
import classes from './OrganizationTree.module.css'
import { type Branch, BranchItems, TreeItem } from './TreeItem.tsx'

type Props = { chosen: string; onChoose: (org: string) => void }

/** Everything below the session's organization, read as it is opened; by a text all of it. */
export function OrganizationTree({ chosen, onChoose }: Props) {
  const t = useWords()
  const [search, change] = useSearch()
  const text = one(search['q']) ?? ''
  return (
    <nav className={shared.side} aria-label={t('organizations.tree')}>
      <SearchField
        wide
        label={t('organizations.search')}
        text={text}
        onText={(q) => void change({ q: q.trim() })}
      />
      {text === '' ? (
        <Whole chosen={chosen} onChoose={onChoose} />
      ) : (
        <Hits text={text} chosen={chosen} onChoose={onChoose} />
      )}
    </nav>
  )
}

function Whole({ chosen, onChoose }: Props) {
  const onKeyDown = useTreeKeys()
  const t = useWords()
  const { organization } = useSession()
  const [open, setOpen] = useState(() => new Set(above(chosen, organization.resourceId)))
  const branch: Branch = {
    chosen,
    onChoose,
    open,
    onToggle: (org) =>
      setOpen(
        (before) =>
          new Set([...before].filter((id) => id !== org).concat(before.has(org) ? [] : org)),
      ),
  }
  const top = { ...organization, children: 1, path: [] }
  return (
    <ul
      role="tree"
      aria-label={t('organizations.tree')}
      className={classes.tree}
      onKeyDown={onKeyDown}
    >
      <TreeItem node={top} level={1} branch={branch} />
      {open.has(organization.resourceId) && (
        <BranchItems at={organization.resourceId} level={2} branch={branch} />
      )}
    </ul>
  )
}

/** The organizations on the way from the top to one, both included: they are open at first. */
function above(org: string, top: string) {
  const steps = org.startsWith(`${top}.`) ? org.slice(top.length + 1).split('.') : []
  return [top, ...steps.slice(0, -1).map((_, at) => [top, ...steps.slice(0, at + 1)].join('.'))]
}

function Hits({ text, chosen, onChoose }: Props & { text: string }) {
  const onKeyDown = useTreeKeys()
  const t = useWords()
  const errorText = useErrorText()
  const { organization } = useSession()
  const found = useBranch(organization.resourceId, text)
  const nodes = found.data?.pages.flatMap(({ content }) => content) ?? []
  const branch: Branch = { chosen, onChoose, open: new Set(), onToggle: undefined }
  if (found.error)
    return <ErrorPanel {...errorText(found.error)} onRetry={() => void found.refetch()} />
  if (found.isPending) return <RowsSkeleton rows={8} />
  return (
    <>
      <p className={shared.told} role="status">
        {t('organizations.found', { count: found.data?.pages[0]?.totalElements ?? 0 })}
      </p>
      {nodes.length > 0 && (
        <ul
          role="tree"
          aria-label={t('organizations.tree')}
          className={classes.tree}
          onKeyDown={onKeyDown}
        >
          {nodes.map((node) => (
            <TreeItem key={node.id} node={node} level={1} branch={branch} withPath />
          ))}
          <More more={found.hasNextPage} onMore={() => void found.fetchNextPage()} />
        </ul>
      )}
    </>
  )
}

function More({ more, onMore }: { more: boolean; onMore: () => void }) {
  const t = useWords()
  if (!more) return null
  return (
    // The keys are handled by the tree.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <li
      role="treeitem"
      aria-selected={false}
      aria-level={1}
      tabIndex={-1}
      className={shared.more}
      onClick={onMore}
    >
      {t('organizations.more')}
    </li>
  )
}
