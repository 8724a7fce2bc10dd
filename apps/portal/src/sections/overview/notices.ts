import type { MessageId } from '@longreach/ui/use-words'
import type { Needs } from '../../parts/access/access-rules.ts'
import { pathName } from '../../parts/devices/tags.ts'
import type { Tone } from '@longreach/ui/StatusDot'
import type { UseQueryOptions } from '@tanstack/react-query'
import {
  attentionQuery,
  type Attention,
  type Fleet,
  fleetQuery,
  invitationsQuery,
  type Place,
  requestsQuery,
} from './overview-calls.ts'

type Target = { to: string; search?: Record<string, string> }
export type NoticeItem = Target & {
  key: string
  title: string
  /** The organization of the device, where that is another. */
  orgResourceId?: string
  /** A message id with its values. */
  text?: { id: MessageId; values: Record<string, string> }
  /** Something in the words of a device or a person. */
  said?: string
  at?: number
  /** Time at which it ends, in ms. */
  until?: number
  /** The value that is there, and the one that is asked for. */
  change?: { from: unknown; to: unknown; unit: string | undefined }
}
/** Notice of work to do; its heading is the message `overview.notice.{id}` with `total`. */
export type Notice = Target & {
  id:
    | 'approvals'
    | 'lost'
    | 'sources'
    | 'expiring'
    | 'failed'
    | 'pending'
    | 'withoutPreset'
    | 'requests'
    | 'invitations'
  tone: Tone
  total: number
  items: readonly NoticeItem[]
}

/** Source of notices: a query, the permissions that it needs, and the notices in its answer. */
type NoticeSource = {
  id: string
  needs: Needs
  ask: (place: Place) => UseQueryOptions
  notices: (answer: unknown) => Notice[]
}

type SourceOf<T> = Pick<NoticeSource, 'id' | 'needs'> & {
  ask: (place: Place) => { queryKey: readonly unknown[] }
  notices: (answer: T) => Notice[]
}
const source = <T>(one: SourceOf<T>) => one as unknown as NoticeSource // its answer is that of its own question

const device = (deviceId: string, search?: Record<string, string>) => ({
  to: `/devices/${deviceId}`,
  ...(search && { search }),
})
const devices = (state: string) => ({ to: '/devices', search: { state } })

const fromPlatform = ({ lost, approvals, expiring, sources }: Attention): Notice[] => [
  {
    id: 'approvals',
    tone: 'warning',
    total: approvals.length,
    to: '/devices',
    items: approvals.map(({ id, deviceId, label, before, v, by, ...rest }) => ({
      ...device(deviceId),
      key: id,
      title: `${label} · ${pathName(rest)}`,
      orgResourceId: rest.orgResourceId,
      text: { id: 'overview.askedBy', values: { name: by } },
      change: { from: before, to: v, unit: rest.unit },
      until: rest.expiresAt,
    })),
  },
  {
    id: 'lost',
    tone: 'off',
    total: lost.total,
    to: '/devices',
    search: { state: 'offline', sort: '-seen' },
    items: lost.items.map(({ deviceId, label, orgResourceId, at }) => ({
      ...device(deviceId, { tab: 'history', kind: 'connection' }),
      key: deviceId,
      title: label,
      orgResourceId,
      at,
    })),
  },
  {
    id: 'sources',
    tone: 'alarm',
    total: sources.total,
    to: '/devices',
    items: sources.items.map(({ deviceId, label, orgResourceId, source: name, error }) => ({
      ...device(deviceId, { tab: 'service', part: 'gateway' }),
      key: `${deviceId} ${name}`,
      title: `${label} · ${name}`,
      orgResourceId,
      ...(error !== null && { said: error }),
    })),
  },
  {
    id: 'expiring',
    tone: 'warning',
    total: expiring.total,
    to: '/devices',
    items: expiring.items.map(({ deviceId, label, orgResourceId, kind, at }) => ({
      ...device(deviceId),
      key: `${deviceId} ${kind}`,
      title: label,
      orgResourceId,
      text: { id: `overview.credential.${kind}`, values: {} },
      until: at,
    })),
  },
]

const fromMappings = ({ counts, failed }: Fleet): Notice[] => [
  {
    id: 'failed',
    tone: 'alarm',
    total: counts.configurationFailed,
    ...devices('error'),
    items: failed.map(({ deviceId, label, orgResourceId, error }) => ({
      ...device(deviceId, { tab: 'configuration' }),
      key: deviceId,
      title: label,
      orgResourceId,
      said: error,
    })),
  },
  {
    id: 'pending',
    tone: 'info',
    total: counts.configurationPending,
    ...devices('pending'),
    items: [],
  },
  {
    id: 'withoutPreset',
    tone: 'info',
    total: counts.withoutPreset,
    ...devices('withoutPreset'),
    items: [],
  },
]

type Requests = { total: number }
type Invitations = { id: number; organization: { label: string }; invitedBy: string }[]

/** All that is asked; another service tells what needs somebody by one more entry. */
export const noticeSources: readonly NoticeSource[] = [
  source<Attention>({
    id: 'platform',
    needs: [['devices:read']],
    ask: attentionQuery,
    notices: fromPlatform,
  }),
  source<Fleet>({
    id: 'mappings',
    needs: [['devices:read']],
    ask: fleetQuery,
    notices: fromMappings,
  }),
  source<Requests>({
    id: 'requests',
    needs: [['users:create']],
    ask: requestsQuery,
    notices: ({ total }) => [
      {
        id: 'requests',
        tone: 'warning',
        total,
        to: '/permission',
        search: { requests: 'open' },
        items: [],
      },
    ],
  }),
  source<Invitations>({
    id: 'invitations',
    needs: [],
    ask: invitationsQuery,
    notices: (open) => [
      {
        id: 'invitations',
        tone: 'info',
        total: open.length,
        to: '/account',
        items: open.map(({ id, organization, invitedBy }) => ({
          to: '/account',
          key: String(id),
          title: organization.label,
          text: { id: 'overview.invitedBy', values: { name: invitedBy } },
        })),
      },
    ],
  }),
]

const weight: Record<Tone, number> = { alarm: 0, warning: 1, off: 2, info: 3, ok: 4 }

/** The notices about something, the grave ones first. */
export const shownNotices = (all: readonly Notice[]) =>
  all
    .filter(({ total }) => total > 0)
    .toSorted((one, other) => weight[one.tone] - weight[other.tone])
