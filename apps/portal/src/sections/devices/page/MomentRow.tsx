import { formatTime } from '@longreach/ui/format'
import { Tag } from '@longreach/ui/StatusDot'
import type { TimeRange } from '@longreach/ui/time-range'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Tooltip } from '@mantine/core'
import {
  IconAdjustments,
  IconArrowsShuffle,
  IconChartDots,
  IconCircleDot,
  IconDelta,
  IconMessage,
  IconPencil,
  IconPlug,
  IconPlugOff,
  IconTrash,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { useActorName } from '../../../lib/actor-name.ts'
import { api, stale } from '../../../lib/api.ts'
import { useErrorText } from '../../../lib/error-text.ts'
import { useLook } from '../../../lib/look.ts'
import { useReach } from '../../../lib/reach.ts'
import { useMay, useSession } from '../../../lib/session.ts'
import { shortPath } from '../../../lib/tags.ts'
import { CommentForm } from './CommentForm.tsx'
import type { Row } from '../device-columns.tsx'
import classes from './device-page.module.css'
import { exploreSearch } from './explore-link.ts'
import { type Moment, momentText, toneOf } from './moment-text.ts'

const quarterMs = 900_000
const icons: Record<string, typeof IconMessage> = {
  comment: IconMessage,
  configuration: IconAdjustments,
  preset: IconAdjustments,
  write: IconPencil,
  moved: IconArrowsShuffle,
}
const writeWords: Record<string, string> = {
  confirmed: 'device-page.write.confirmed',
  sent: 'device-page.write.sent',
  no_answer: 'device-page.write.noAnswer',
}

type Props = { moment: Moment; device: Row; onRange: (range: TimeRange) => void }

/** One thing that happened, with the ways on from there. */
export function MomentRow({ moment, device, onRange }: Props) {
  const t = useWords()
  const nameOf = useActorName()
  const intl = useIntl()
  const { zone } = useLook()
  const [editing, setEditing] = useState(false)
  const { at, until, kind, by, data } = moment
  const around = { from: at - quarterMs, to: (until ?? at) + quarterMs }
  const status = kind === 'write' ? writeWords[String(data['status'])] : undefined
  return (
    <li className={classes.moment}>
      <time
        dateTime={new Date(at).toISOString()}
        title={formatTime(new Date(at), intl.locale, zone)}
      >
        {intl.formatTime(at, { timeStyle: 'medium', timeZone: zone, hour12: false })}
      </time>
      <span className={classes.mark} data-tone={toneOf(moment)}>
        <MomentIcon moment={moment} />
      </span>
      <div>
        {editing ? (
          <CommentForm
            deviceId={device.deviceId}
            comment={{
              id: moment.id,
              text: String(data['text']),
              at,
              until,
              path: moment.modelPath,
            }}
            zone={zone}
            onClose={() => setEditing(false)}
          />
        ) : (
          <p className={classes.said}>
            {kind === 'comment' ? String(data['text']) : momentText(moment, t)}{' '}
            {status && (
              <Tag tone={data['status'] === 'confirmed' ? 'ok' : 'warning'}>{t(status)}</Tag>
            )}
          </p>
        )}
        <span className={classes.dim}>
          {kind === 'comment' && moment.modelPath !== null && (
            <code className={classes.path} title={moment.modelPath}>
              {shortPath(moment.modelPath)}
            </code>
          )}
          {[by !== null && nameOf(by), until !== null && untilText(until)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </div>
      <span className={classes.acts}>
        {kind === 'comment' && (
          <CommentActs moment={moment} device={device} onEdit={() => setEditing(true)} />
        )}
        <Tooltip label={t('device-page.changedAround')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('device-page.changedAround')}
            onClick={() => onRange(around)}
          >
            <IconDelta size={16} />
          </ActionIcon>
        </Tooltip>
        <ExploreLink device={device} path={moment.modelPath} window={around} />
      </span>
    </li>
  )

  function untilText(end: number) {
    return t('device-page.untilTime', { time: formatTime(new Date(end), intl.locale, zone) })
  }
}

function MomentIcon({ moment: { kind, data } }: { moment: Moment }) {
  if (kind === 'connection')
    return data['connected'] === true ? <IconPlug size={14} /> : <IconPlugOff size={14} />
  const Icon = icons[kind] ?? IconCircleDot
  return <Icon size={14} />
}

type LinkProps = { device: Row; path: string | null; window: { from: number; to: number } }

/** To the explorer, with the value that it is about, at that time. */
function ExploreLink({ device, path, window }: LinkProps) {
  const t = useWords()
  const { permissions, organization } = useSession()
  if (!permissions.has('models:read') || !organization.dataEnabled) return null
  const search = exploreSearch(device.deviceId, path === null ? [] : [path], window)
  return (
    <Tooltip label={t('device-page.exploreThen')}>
      <ActionIcon
        variant="subtle"
        color="gray"
        component={Link}
        to="/data-explore"
        search={search as never} // the route tree is made from data, so the router knows no types
        aria-label={t('device-page.exploreThen')}
      >
        <IconChartDots size={16} />
      </ActionIcon>
    </Tooltip>
  )
}

type ActsProps = { moment: Moment; device: Row; onEdit: () => void }

/** A comment is changed by who wrote it, and deleted by them or by who may change the device. */
function CommentActs({ moment, device: { deviceId }, onEdit }: ActsProps) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const org = useReach()
  const may = useMay()
  const { own } = moment
  const params = { org, deviceId }
  const changed = () => stale(api.platform.timeline)
  const restore = async () => {
    const { at, until, modelPath, data } = moment
    await api.platform.addComment({
      params,
      body: { at, until, modelPath, text: String(data['text']) },
    })
    await changed()
  }
  const remove = useMutation({
    mutationFn: () => api.platform.deleteComment({ params: { ...params, id: moment.id } }),
    onSuccess: async () => {
      await changed()
      const action = { label: t('device-page.undo'), run: () => void restore() }
      toast({ message: t('device-page.comment.deleted'), ...(own && { action }) })
    },
    onError: (error) => toast({ message: errorText(error).message, kind: 'failed' }),
  })
  return (
    <>
      {own && (
        <Tooltip label={t('device-page.comment.edit')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('device-page.comment.edit')}
            onClick={onEdit}
          >
            <IconPencil size={16} />
          </ActionIcon>
        </Tooltip>
      )}
      {(own || may('devices:update')) && (
        <Tooltip label={t('device-page.comment.delete')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            loading={remove.isPending}
            aria-label={t('device-page.comment.delete')}
            onClick={() => remove.mutate()}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </>
  )
}
