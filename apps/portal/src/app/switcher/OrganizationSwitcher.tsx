import { Kbd, Modal, TextInput } from '@mantine/core'
import { useWords } from '@longreach/ui/use-words'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { type KeyboardEvent, type MouseEvent, useId, useState } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { useFavorites } from '../../parts/organizations/favorite-organizations.ts'
import { type Organization, useSession } from '../../parts/session/session.ts'
import { OrganizationTags } from './OrganizationCard.tsx'
import { OrganizationMark } from './OrganizationMark.tsx'
import { OrganizationStanding } from './OrganizationStanding.tsx'
import classes from './OrganizationSwitcher.module.css'
import { lastUsed, rememberUse } from './recent-organizations.ts'
import { treeOf } from './tree-rules.ts'
import { useOrganizationSearch } from './use-organization-search.ts'

const mine = query(api.core.mine, {})
const shownBelow = 100

/** The organizations to switch to: recent ones, the tree, and by search all of it. */
export function OrganizationSwitcher({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const listId = useId()
  const session = useSession()
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const { groups, options, searching, standingOf } = useChoices(text)
  const enter = useEnter()
  const pick = (organization: Organization, newTab: boolean) => {
    if (organization.resourceId === session.organization.resourceId && !newTab) return onClose()
    enter(organization, newTab)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = options[active]
    if (event.key === 'ArrowDown') setActive(Math.min(active + 1, options.length - 1))
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0))
    else if (event.key === 'Enter' && chosen) pick(chosen, event.ctrlKey || event.metaKey)
    else return
    event.preventDefault()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size={420}
      classNames={{ inner: classes.inner, content: classes.panel }}
      aria-label={t('shell.organizations')}
    >
      <TextInput
        data-autofocus
        className={classes.search}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={options[active] && `${listId}-${active}`}
        aria-label={t('door.selector.search')}
        placeholder={t('door.selector.search')}
        leftSection={<IconSearch size={15} stroke={1.6} />}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div
        id={listId}
        role="listbox"
        aria-label={t('shell.organizations')}
        className={classes.list}
      >
        {groups.map(({ id, entries, from }) => (
          <div key={id} role="group" aria-label={t(`shell.organizations.${id}`)}>
            <div className={classes.caption} aria-hidden="true">
              {t(`shell.organizations.${id}`)}
            </div>
            {entries.map(({ organization, depth }, index) => (
              <Option
                key={organization.resourceId}
                id={`${listId}-${from + index}`}
                organization={organization}
                depth={depth}
                standing={standingOf(organization)}
                active={active === from + index}
                current={organization.resourceId === session.organization.resourceId}
                onPick={(event) => pick(organization, event.ctrlKey || event.metaKey)}
              />
            ))}
          </div>
        ))}
      </div>
      {options.length === 0 && !searching && (
        <p className={classes.none}>{t('door.selector.noHit')}</p>
      )}
      <Keys />
    </Modal>
  )
}

/** Help for Enter and Ctrl+Enter. */
function Keys() {
  const t = useWords()
  return (
    <footer className={classes.footer}>
      <span>
        <Kbd size="xs">↵</Kbd> {t('shell.organizations.enter')}
      </span>
      <span>
        <Kbd size="xs">{t('shell.key.ctrl')} ↵</Kbd> {t('shell.organizations.newTab')}
      </span>
    </footer>
  )
}

type Group = { id: 'favorites' | 'recent' | 'all' | 'found'; entries: Entry[]; from: number }
type Standing = { roles: string[] | undefined; usedAt: number | undefined }
type Entry = { organization: Organization; depth: number }

/** Organizations of the panel: without a text recent ones and the tree, else the results of the search. */
function useChoices(text: string) {
  const { organization: here } = useSession()
  const own = useQuery(mine).data ?? [here]
  const below = useQuery(
    query(api.core.organizations, {
      params: { org: treeTop(own, here) },
      query: { pageSize: shownBelow },
    }),
  ).data?.content
  const found = useOrganizationSearch(own, text)
  const all = treeOf([...own, ...(below ?? [])])
  const used = lastUsed()
  const favorites = useFavorites()
    .filter(({ realmName }) => realmName === here.realmName)
    .map((organization) => ({ organization, depth: 0 }))
  const recent = all
    .filter(
      ({ organization: { resourceId } }) =>
        used[resourceId] !== undefined && resourceId !== here.resourceId,
    )
    .toSorted(
      (a, b) => (used[b.organization.resourceId] ?? 0) - (used[a.organization.resourceId] ?? 0),
    )
    .slice(0, 3)
    .map(({ organization }) => ({ organization, depth: 0 }))
  const lists: [Group['id'], Entry[]][] =
    text.trim() === ''
      ? [
          ['favorites', favorites],
          ['recent', recent],
          ['all', all],
        ]
      : [['found', found.organizations.map((organization) => ({ organization, depth: 0 }))]]
  const groups: Group[] = []
  const options: Organization[] = []
  for (const [id, entries] of lists) {
    if (entries.length > 0) groups.push({ id, entries, from: options.length })
    options.push(...entries.map(({ organization }) => organization))
  }
  const roles = new Map(own.map((one) => [one.resourceId, one.roles]))
  const standingOf = ({ resourceId }: Organization): Standing => ({
    roles: roles.get(resourceId),
    usedAt: used[resourceId],
  })
  return { groups, options, searching: found.searching, standingOf }
}

/** The organization of one's own that the current one is below, or itself. */
const treeTop = (own: readonly Organization[], here: Organization) =>
  own
    .map(({ resourceId }) => resourceId)
    .filter((id) => here.resourceId === id || here.resourceId.startsWith(`${id}.`))
    .toSorted((a, b) => a.length - b.length)[0] ?? here.resourceId

/** Enter an organization at the section that is open now, here or in a new tab. */
function useEnter() {
  const session = useSession()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const section = `/${pathname.split('/')[1] ?? ''}`
  return ({ resourceId }: Organization, newTab: boolean) => {
    rememberUse(resourceId)
    if (newTab)
      window.open(`${section}?org=${encodeURIComponent(resourceId)}`, '_blank', 'noopener')
    else void session.enter(resourceId, section)
  }
}

type OptionProps = Entry & {
  id: string
  standing: Standing
  active: boolean
  current: boolean
  onPick: (event: MouseEvent) => void
}

function Option(props: OptionProps) {
  const { id, organization, depth, standing, active, current, onPick } = props
  const { label, name, resourceId } = organization
  return (
    // The keys are handled by the search field, which keeps the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      data-current={current || undefined}
      className={classes.option}
      style={{ paddingInlineStart: 10 + depth * 18 }}
      ref={(element) => {
        if (active) element?.scrollIntoView({ block: 'nearest' })
      }}
      onClick={onPick}
    >
      <OrganizationMark organization={organization} size={26} />
      <span className={classes.text}>
        <span className={classes.name}>{label || name}</span>
        <span className={classes.path}>{resourceId}</span>
        <OrganizationStanding {...standing} className={classes.standing} />
      </span>
      <span className={classes.tags}>
        <OrganizationTags organization={organization} />
      </span>
    </div>
  )
}
