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
  IconFocusCentered,
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
import { useActorName } from '../../../parts/audit/actor-name.ts'
import { api, stale } from '../../../parts/api/api.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { useLook } from '../../../parts/look/look.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { useMay, useSession } from '../../../parts/session/session.ts'
import { useTags } from '../../../parts/devices/devices.ts'
import { shortPath } from '../../../parts/devices/tags.ts'
import { useValueText } from '../../../parts/devices/value-text.ts'
import { CommentForm } from './CommentForm.tsx'
import type { Row } from '../device-rows.ts'
import shared from './device-page.module.css'
import classes from './MomentRow.module.css'
import { exploreSearch } from './explore-link.ts'
import { type Moment, momentText, toneOf } from './moment-text.ts'
import { writeStatusWords } from './WriteHistory.tsx'
import { linkTo } from '../../../parts/pages/page-links.ts'

const quarterMs = 900_000
const icons: Record<string, typeof IconMessage> = {
  comment: IconMessage,
  configuration: IconAdjustments,
  preset: IconAdjustments,
  write: IconPencil,
  moved: IconArrowsShuffle,
}
type Props = { moment: Moment; device: Row; onRange?: (range: TimeRange) => void }

/** One thing that happened, with the ways on from there. */
export function MomentRow({ moment, device, onRange }: Props) {
  const t = useWords()
  const intl = useIntl()
  const { zone } = useLook()
  const [editing, setEditing] = useState(false)
  const { at, until, kind, data } = moment
  const around = { from: at - quarterMs, to: (until ?? at) + quarterMs }
  const status = kind === 'write' ? writeStatusWords[String(data['status'])] : undefined
  return (
    <li className={classes.moment}>
      <time
        dateTime={new Date(at).toISOString()}
        title={formatTime(new Date(at), intl.locale, zone)}
      >
        {intl.formatTime(at, { timeStyle: 'medium', timeZone: zone })}
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
            {kind === 'comment' ? String(data['text']) : <MomentTitle {...{ moment, device }} />}{' '}
            {status && (
              <Tag tone={data['status'] === 'confirmed' ? 'ok' : 'warning'}>{t(status)}</Tag>
            )}
          </p>
        )}
        <MomentDetails moment={moment} />
      </div>
      <span className={classes.acts}>
        {kind === 'comment' && (
          <CommentActs moment={moment} device={device} onEdit={() => setEditing(true)} />
        )}
        {onRange && (
          <Tooltip label={t('device-page.changedAround')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('device-page.changedAround')}
              onClick={() => onRange(around)}
            >
              <IconFocusCentered size={16} />
            </ActionIcon>
          </Tooltip>
        )}
        <ExploreLink device={device} path={moment.modelPath} window={around} />
      </span>
    </li>
  )
}

/** The value that a comment is about, who it was, who approved it and why, until when it lasted. */
function MomentDetails({ moment: { kind, by, until, modelPath, data } }: { moment: Moment }) {
  const t = useWords()
  const { locale } = useIntl()
  const { zone } = useLook()
  const nameOf = useActorName()
  const { approvedBy, reason } = data
  const parts = [
    by !== null && nameOf(by),
    typeof approvedBy === 'string' &&
      t('device-page.write.approvedBy', { name: nameOf(approvedBy) }),
    kind === 'write' && typeof reason === 'string' && reason,
    until !== null &&
      t('device-page.untilTime', { time: formatTime(new Date(until), locale, zone) }),
  ]
  return (
    <span className={shared.dim}>
      {kind === 'comment' && modelPath !== null && (
        <code className={classes.path} title={modelPath}>
          {shortPath(modelPath)}
        </code>
      )}
      {parts.filter(Boolean).join(' · ')}
    </span>
  )
}

/** Text of a moment, with the model's name and unit of its value. */
function MomentTitle({ moment, device }: { moment: Moment; device: Row }) {
  const t = useWords()
  const valueText = useValueText()
  const { tags } = useTags(moment.kind === 'write' ? device.deviceId : '', { live: false })
  const tag = tags.find(({ path }) => path === moment.modelPath)
  const show = (value: unknown) =>
    value === null || value === undefined ? '—' : valueText.text(value, tag?.unit)
  return momentText(moment, t, { show, ...(tag && { name: tag.name }) })
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
        {...linkTo('/data-explore', { search })}
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
