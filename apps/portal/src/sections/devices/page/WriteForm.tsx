import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { isShownOtherwise, shownValue } from '@longreach/ui/shown-unit'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Button, Group, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { TagWithValue } from '../../../parts/devices/devices.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { useLook } from '../../../parts/look/look.ts'
import { TagValue } from '../../../parts/devices/TagValue.tsx'
import { useSparks } from '../../../parts/history/use-history.ts'
import { useValueText } from '../../../parts/devices/value-text.ts'
import shared from '../devices.module.css'
import classes from './WriteForm.module.css'
import { useSecondPerson, useWriting, type Writing } from './write-calls.ts'
import { WishField } from './WishField.tsx'
import { isLargeChange, isNearer, isSame, readWish, wishText } from './write-rules.ts'

type Props = {
  device: { deviceId: string; label: string }
  tag: TagWithValue
  onClose: () => void
}

/** The new value of a set-point, why it is written, and what the device or a second person made of it. */
export function WriteForm({ device, tag, onClose }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const secondPerson = useSecondPerson()
  const writing = useWriting(device.deviceId, tag.path, secondPerson)
  const [reason, setReason] = useState('')
  const isOtherwise = isShownOtherwise(tag.unit, useLook().temperature)
  const wish = useWish(device.deviceId, tag)
  const valueText = useValueText()
  const show = (value: unknown) => valueText.bothText(value, tag.unit)
  const isDone = writing.outcome === 'confirmed' || writing.outcome === 'requested'
  const change = wish.wished && { from: show(tag.last?.value), to: show(wish.wished.value) }
  return (
    <form
      className={shared.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (wish.wished && wish.isSure()) writing.send(wish.wished.value, reason.trim())
      }}
    >
      <Target device={device} tag={tag} />
      <WishField tag={tag} text={wish.text} problem={wish.problem} onChange={wish.type} />
      <p className={classes.change} aria-live="polite">
        {!isDone && change && t('devices.write.change', change)}
      </p>
      <Textarea
        label={t('device-page.write.reason')}
        description={t('device-page.write.reasonHelp')}
        value={reason}
        maxLength={1_000}
        autosize
        minRows={1}
        maxRows={4}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {secondPerson && !isDone && (
        <p className={shared.dim}>{t('device-page.write.needsSecond')}</p>
      )}
      {wish.asked && change && (
        <p className={shared.warn} role="alert">
          {t(`device-page.write.${isOtherwise ? 'largeIn' : 'large'}`, {
            ...change,
            unit: `${tag.unit}`,
          })}
        </p>
      )}
      <Outcome writing={writing} show={show} />
      {writing.error && <ErrorPanel {...errorText(writing.error)} />}
      <Buttons
        writing={writing}
        isDone={isDone}
        asked={wish.asked}
        disabled={!wish.wished}
        verb={t(verbOf(wish.asked, secondPerson), { device: device.label })}
        onClose={onClose}
      />
    </form>
  )
}

type ButtonsProps = {
  writing: Writing
  isDone: boolean
  asked: boolean
  disabled: boolean
  verb: string
  onClose: () => void
}

/** Writing is the main act until it is done; then closing is. */
function Buttons({ writing, isDone, asked, disabled, verb, onClose }: ButtonsProps) {
  const t = useWords()
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant={isDone ? 'filled' : 'default'} onClick={onClose}>
        {t(writing.outcome ? 'ui.close' : 'ui.cancel')}
      </Button>
      <Button
        type="submit"
        variant={isDone ? 'default' : 'filled'}
        {...(asked && { color: 'red.8' })}
        loading={writing.pending}
        disabled={disabled}
      >
        {verb}
      </Button>
    </Group>
  )
}

function verbOf(asked: boolean, secondPerson: boolean) {
  if (asked) return 'device-page.write.anyway'
  return secondPerson ? 'device-page.write.request' : 'devices.write.verb'
}

/** The text of the new value, what it means beside the live one, and whether a large change was confirmed. */
function useWish(deviceId: string, tag: TagWithValue) {
  const live = tag.last?.value
  const { temperature } = useLook()
  const read = shownValue(live, tag.unit, temperature).value
  const [started] = useState(wishText(live))
  const [text, setText] = useState(started)
  const [asked, setAsked] = useState(false)
  const span = useUsualSpan(deviceId, tag.path)
  const typed = readWish(text, tag)
  const wished = 'value' in typed && !isSame(typed.value, live) ? typed : undefined
  return {
    text,
    wished,
    problem: 'problem' in typed && text !== started ? typed.problem : undefined,
    /** The person was asked whether so large a change is meant. */
    asked: asked && wished !== undefined,
    type: (next: string) => {
      setText(next)
      setAsked(false)
    },
    /** False the first time for a large change: then the person is asked. */
    isSure: () => {
      const to = wished?.value
      const large = isLargeChange({ from: live, to, span }, tag) || isNearer(to, { live, read })
      setAsked(large && !asked)
      return asked || !large
    },
  }
}

/** Range of the value in the last hours; undefined until known. */
function useUsualSpan(deviceId: string, path: string) {
  const values = useSparks(deviceId, [path]).get(path)?.values ?? []
  const known = [...values].filter((value): value is number => typeof value === 'number')
  return known.length > 1 ? Math.max(...known) - Math.min(...known) : undefined
}

function Target({ device, tag }: Pick<Props, 'device' | 'tag'>) {
  const t = useWords()
  const valueText = useValueText()
  const isOtherwise = isShownOtherwise(tag.unit, useLook().temperature)
  const value = tag.last?.value
  return (
    <dl className={classes.facts}>
      <dt>{t('devices.write.device')}</dt>
      <dd>{device.label}</dd>
      <dt>{t('devices.write.path')}</dt>
      <dd>
        <code>{tag.path}</code>
      </dd>
      <dt>{t('devices.write.now')}</dt>
      <dd>
        <TagValue tag={tag} live={tag.last} connected={undefined} asDevice />
        {isOtherwise && typeof value === 'number' && ` (${valueText.text(value, tag.unit)})`}
      </dd>
    </dl>
  )
}

type OutcomeProps = { writing: Writing; show: (value: unknown) => string }

/** Outcome of a write: the value that the device reports, no reply, or a request to another person. */
function Outcome({ writing: { pending, outcome, value }, show }: OutcomeProps) {
  const t = useWords()
  return (
    <output>
      {pending && <StatusDot tone="info">{t('devices.write.sent')}</StatusDot>}
      {!pending && outcome === 'confirmed' && (
        <StatusDot tone="ok">{t('devices.write.confirmed', { value: show(value) })}</StatusDot>
      )}
      {!pending && outcome === 'requested' && (
        <StatusDot tone="ok">{t('device-page.write.requested')}</StatusDot>
      )}
      {!pending && (outcome === 'sent' || outcome === 'no_answer') && (
        <StatusDot tone="warning">{t('devices.write.noAnswer')}</StatusDot>
      )}
    </output>
  )
}
