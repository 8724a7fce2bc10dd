import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { Tag } from '@longreach/ui/StatusDot'
import { useNarrow } from '@longreach/ui/use-narrow'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core'
import { IconCopy, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useIntl } from 'react-intl'
import { api, query } from '../../../parts/api/api.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { useLiveFrames } from '../../../parts/live/live.ts'
import { LiveBadge } from '../../../parts/live/LiveBadge.tsx'
import { useReach } from '../../../parts/session/reach.ts'
import { useMay } from '../../../parts/session/session.ts'
import { type Frame, framesText, framesWith, mostFrames, readFrame } from './console-rules.ts'
import { useRefusalText } from './use-refusal-text.ts'
import shared from '../devices.module.css'
import classes from './ConsoleTab.module.css'

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
      <div className={shared.form}>
        <div className={shared.bar}>
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
          <span className={classes.tools}>
            <Tool
              icon={held ? IconPlayerPlay : IconPlayerPause}
              label={
                held
                  ? t('devices.console.go', { count: all.length - held.length })
                  : t('devices.console.pause')
              }
              pressed={held !== undefined}
              onClick={() => setHeld(held ? undefined : all)}
            />
            <Tool
              icon={IconTrash}
              label={t('devices.console.clear')}
              onClick={() => setSince(Date.now())}
            />
            <CopyFrames frames={shown} />
          </span>
        </div>
        <p className={shared.dim}>{t('devices.console.topicHelp')}</p>
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

/** Frames stored before the page was opened, followed by those received since. */
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
    <>
      <output className={shared.dim}>{said}</output>
      <Tool
        icon={IconCopy}
        label={t('devices.console.copy', { count: frames.length })}
        disabled={frames.length === 0}
        onClick={() => void copy()}
      />
    </>
  )
}

type ToolProps = {
  icon: typeof IconCopy
  label: string
  pressed?: boolean
  disabled?: boolean
  onClick: () => void
}

/** A button with its words, on a phone only its picture. */
function Tool({ icon: Icon, label, pressed = false, disabled = false, onClick }: ToolProps) {
  const picture = <Icon size={15} stroke={1.7} aria-hidden />
  const narrow = useNarrow()
  if (!narrow)
    return (
      <Button variant="default" leftSection={picture} disabled={disabled} onClick={onClick}>
        {label}
      </Button>
    )
  return (
    <ActionIcon
      variant={pressed ? 'filled' : 'default'}
      size={38}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      {picture}
    </ActionIcon>
  )
}

function Frames({ frames }: { frames: readonly Frame[] }) {
  const t = useWords()
  const refusalText = useRefusalText()
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
          <time dateTime={new Date(frame.at).toISOString()}>
            {intl.formatTime(frame.at, {
              hour: '2-digit',
              minute: '2-digit',
              second: '2-digit',
              fractionalSecondDigits: 3,
              hour12: false,
            })}
          </time>
          <Direction sent={frame.direction === 'sent'} />
          <code className={classes.frameTopic}>{frame.topic}</code>
          <span className={classes.frameBytes}>
            {t('devices.console.bytes', { bytes: frame.bytes })}
          </span>
          {frame.ok ? (
            <span className={classes.frameSaid}>
              {frame.path && <code>{frame.path} </code>}
              <b>{frame.value === undefined ? '' : JSON.stringify(frame.value)}</b>
            </span>
          ) : (
            <span className={classes.frameSaid}>
              <Tag tone="alarm">{t('devices.console.notRead')}</Tag> {refusalText(frame)}{' '}
              <code>{frame.head}</code>
            </span>
          )}
        </div>
      ))}
    </section>
  )
}

function Direction({ sent }: { sent: boolean }) {
  const t = useWords()
  const label = t(sent ? 'devices.console.sent' : 'devices.console.received')
  return (
    <span role="img" aria-label={label} title={label}>
      {sent ? '→' : '←'}
    </span>
  )
}
