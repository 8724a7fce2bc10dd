import type { Column } from '@longreach/ui/DataTable'
import { formatTime } from '@longreach/ui/format'
import { RelativeTime, useNow } from '@longreach/ui/RelativeTime'
import { Tag } from '@longreach/ui/StatusDot'
import { useWords, type Translate } from '@longreach/ui/use-words'
import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import { PanelLink } from '../../parts/pages/PanelLink.tsx'
import type { ApiKey } from './api-key-calls.ts'
import classes from './api-keys.module.css'
import { actionOf, byResource, lifeOf } from './scope-rules.ts'

/** Columns of the list of keys. */
export function useApiKeyColumns(): Column<ApiKey>[] {
  const t = useWords()
  return useMemo(
    () => [
      {
        id: 'label',
        label: t('api-keys.label'),
        width: 180,
        grow: 2,
        sortable: true,
        fixed: true,
        card: 'title' as const,
        value: ({ label }) => label,
        cell: ({ id, label, key }) => (
          <>
            <PanelLink opens={{ key: String(id) }}>{label}</PanelLink>{' '}
            <code className={classes.dim}>{key}…</code>
          </>
        ),
      },
      {
        id: 'owner',
        label: t('api-keys.owner'),
        width: 130,
        grow: 1,
        sortable: true,
        card: 'detail' as const,
        value: ({ username }) => username,
        cell: (row) => <Owner apiKey={row} />,
      },
      {
        id: 'scopes',
        label: t('api-keys.scopes'),
        width: 200,
        grow: 2,
        cell: ({ permissions }) => <ScopesInShort permissions={permissions} />,
      },
      {
        id: 'used',
        label: t('api-keys.used'),
        width: 190,
        sortable: true,
        value: ({ lastUsedAt }) => lastUsedAt?.getTime() ?? 0,
        cell: (row) => <LastUse apiKey={row} />,
      },
      {
        id: 'created',
        label: t('api-keys.created'),
        width: 120,
        sortable: true,
        value: ({ createdAt }) => createdAt.getTime(),
        cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
      },
      {
        id: 'expires',
        label: t('api-keys.expires'),
        width: 170,
        sortable: true,
        card: 'state' as const,
        value: ({ expiresAt }) => expiresAt.getTime(),
        cell: (row) => <Expiry apiKey={row} />,
      },
    ],
    [t],
  )
}

type Props = { apiKey: ApiKey }

export function Owner({ apiKey: { username, serviceAccount } }: Props) {
  const t = useWords()
  return (
    <>
      {username} {serviceAccount && <Tag tone="off">{t('api-keys.serviceAccount')}</Tag>}
    </>
  )
}

export function LastUse({ apiKey: { lastUsedAt, lastUsedIp } }: Props) {
  const t = useWords()
  if (lastUsedAt === null) return <span className={classes.dim}>{t('api-keys.neverUsed')}</span>
  return (
    <>
      <RelativeTime at={lastUsedAt} /> <code className={classes.dim}>{lastUsedIp}</code>
    </>
  )
}

/** Expiry of a key; in colour when it is soon, with a word for those who see no colour. */
export function Expiry({ apiKey }: Props) {
  const t = useWords()
  const { locale, timeZone } = useIntl()
  const now = useNow()
  const life = lifeOf(apiKey, now)
  const at = apiKey.expiresAt
  const time = (
    <time dateTime={at.toISOString()} title={formatTime(at, locale, timeZone)}>
      {new Intl.DateTimeFormat(locale, {
        dateStyle: 'medium',
        ...(timeZone && { timeZone }),
      }).format(at)}
    </time>
  )
  if (life === 'live') return time
  const days = Math.max(1, Math.ceil((at.getTime() - now) / 86_400_000))
  return (
    <>
      {time}{' '}
      <Tag tone={life === 'soon' ? 'warning' : 'alarm'}>
        {life === 'soon' ? t('api-keys.endsIn', { days }) : t('api-keys.expired')}
      </Tag>
    </>
  )
}

const shownInShort = 2

function ScopesInShort({ permissions }: Pick<ApiKey, 'permissions'>) {
  const t = useWords()
  const groups = byResource(permissions)
  const more = groups.length - shownInShort
  return (
    <span title={groups.map((group) => scopeText(t, group)).join('\n')}>
      {groups
        .slice(0, shownInShort)
        .map((group) => scopeText(t, group))
        .join(' · ')}
      {more > 0 && ` · ${t('api-keys.more', { count: more })}`}
    </span>
  )
}

type Group = ReturnType<typeof byResource>[number]

/** `Devices: see, change`. */
export function scopeText(t: Translate, { resource, rights }: Group) {
  const actions = rights.map((right) => t(`access.action.${actionOf(right)}`))
  return `${t(`access.resource.${resource}`)}: ${actions.join(', ')}`
}
