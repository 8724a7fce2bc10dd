import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { Tag } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { IconCopy, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useIntl } from 'react-intl'
import { api, query } from '../../../lib/api.ts'
import { useErrorText } from '../../../lib/error-text.ts'
import { useLiveFrames } from '../../../lib/live.ts'
import { LiveBadge } from '../../../lib/LiveBadge.tsx'
import { useReach } from '../../../lib/reach.ts'
import { useMay } from '../../../lib/session.ts'
import { type Frame, framesText, framesWith, mostFrames, readFrame } from './console-rules.ts'
import classes from '../devices.module.css'

/** Every frame that goes between the device and the platform, and what became of it. */
export function ConsoleTab({ deviceId }: { deviceId: string }) {
  const t = useWords()
  const may = useMay()('devices:update')
  if (!may)
    return (
      <EmptyState
        kind="forbidden"
        title={t('devices.console.forbidden')}
        text={t('devices.mayNotUpdate')}
      />
    )
  return <Console deviceId={deviceId} />
}

function Console({ deviceId }: { deviceId: string }) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useReach()
  const [arrived, setArrived] = useState<Frame[]>([])
  const [since, setSince] = useState(0)
  const [held, setHeld] = useState<Frame[]>()
  const [text, setText] = useState('')
  const [refused, setRefused] = useState(false)
  const lastKey = useRef(0)
  const before = useQuery({
    ...query(api.platform.console, { params: { org, deviceId } }),
    staleTime: Infinity,
    gcTime: 0,
  })
  useLiveFrames(deviceId, (raw) => {
    const frame = readFrame(raw, ++lastKey.current)
    setArrived((frames) => [...frames.slice(1 - mostFrames), frame])
  })
  const all = joined(before.data ?? [], arrived).filter(({ at }) => at >= since)
  const shown = framesWith(held ?? all, text, refused).toReversed()
  return (
    <Panel title={t('devices.tab.console')} beside={<LiveBadge />}>
      <div className={classes.form}>
        <div className={classes.bar}>
          <TextInput
            className={classes.search}
            aria-label={t('devices.console.filter')}
            placeholder={t('devices.console.filter')}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Checkbox
            label={t('devices.console.refused')}
            checked={refused}
            onChange={(event) => setRefused(event.currentTarget.checked)}
          />
          <Button
            variant="default"
            leftSection={held ? <IconPlayerPlay size={15} /> : <IconPlayerPause size={15} />}
            onClick={() => setHeld(held ? undefined : all)}
          >
            {held
              ? t('devices.console.go', { count: all.length - held.length })
              : t('devices.console.pause')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconTrash size={15} />}
            onClick={() => setSince(Date.now())}
          >
            {t('devices.console.clear')}
          </Button>
          <CopyFrames frames={shown} />
        </div>
        {before.error && <ErrorPanel {...errorText(before.error)} />}
        {shown.length === 0 ? (
          <EmptyState
            kind="nothing"
            title={t('devices.console.none')}
            text={t('devices.console.noneText')}
          />
        ) : (
          <Frames frames={shown.slice(0, 300)} />
        )}
      </div>
    </Panel>
  )
}

/** What was kept before the page was opened, and what came since. */
function joined(kept: readonly object[], arrived: readonly Frame[]) {
  const first = arrived[0]?.at ?? Infinity
  const older = kept.map((raw, index) => readFrame(raw as Record<string, unknown>, -1 - index)) // fields are checked there
  return [...older.filter(({ at }) => at < first), ...arrived]
}

function CopyFrames({ frames }: { frames: readonly Frame[] }) {
  const t = useWords()
  const [said, setSaid] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(framesText(frames))
      setSaid(t('ui.copied'))
    } catch {
      setSaid(t('ui.copyRefused')) // no permission for the clipboard
    }
  }
  return (
    <span className={classes.bar}>
      <output>{said}</output>
      <Button
        variant="default"
        leftSection={<IconCopy size={15} />}
        disabled={frames.length === 0}
        onClick={() => void copy()}
      >
        {t('devices.console.copy', { count: frames.length })}
      </Button>
    </span>
  )
}

function Frames({ frames }: { frames: readonly Frame[] }) {
  const t = useWords()
  const intl = useIntl()
  return (
    <section
      className={classes.frames}
      aria-label={t('devices.tab.console')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
      tabIndex={0}
    >
      {frames.map((frame) => (
        <div key={frame.key} className={classes.frame} data-ok={frame.ok}>
          <time>
            {intl.formatTime(frame.at, {
              hour: '2-digit',
              minute: '2-digit',
              second: '2-digit',
              fractionalSecondDigits: 3,
            })}
          </time>
          <span
            title={
              frame.direction === 'sent' ? t('devices.console.sent') : t('devices.console.received')
            }
          >
            {frame.direction === 'sent' ? '→' : '←'}
          </span>
          <code>{frame.topic}</code>
          <span>{t('devices.console.bytes', { bytes: frame.bytes })}</span>
          {frame.ok ? (
            <span>
              {frame.path && <code>{frame.path} </code>}
              <b>{frame.value === undefined ? '' : JSON.stringify(frame.value)}</b>
            </span>
          ) : (
            <span>
              <Tag tone="alarm">{t('devices.console.notRead')}</Tag> {frame.reason}{' '}
              <code>{frame.head}</code>
            </span>
          )}
        </div>
      ))}
    </section>
  )
}
