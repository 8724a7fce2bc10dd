import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Button, Group, Modal, SegmentedControl, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { api } from '../../../lib/api.ts'
import { type TagWithValue, useTags } from '../../../lib/devices.ts'
import { useErrorText } from '../../../lib/error-text.ts'
import { useReach } from '../../../lib/reach.ts'
import { plainValue, TagValue } from '../../../lib/TagValue.tsx'
import classes from '../devices.module.css'
import { readWish, type Wish, wishText } from './write-rules.ts'

type Props = {
  device: { deviceId: string; label: string }
  path: string
  onClose: () => void
}
/** A device that has not reported the value by then has not answered. */
const patienceMs = 10_000

/** Writes one value: shows the old and the new one, the device, and then what the device itself reports. */
export function WriteDialog({ device, path, onClose }: Props) {
  const t = useWords()
  const { tags } = useTags(device.deviceId)
  const tag = tags.find((one) => one.path === path)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('devices.write.title', { name: tag?.name ?? path })}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      {tag && <WriteForm device={device} tag={tag} onClose={onClose} />}
    </Modal>
  )
}

function WriteForm({
  device,
  tag,
  onClose,
}: {
  device: Props['device']
  tag: TagWithValue
  onClose: () => void
}) {
  const t = useWords()
  const { locale } = useIntl()
  const errorText = useErrorText()
  const org = useReach()
  const [old] = useState(tag.last?.value)
  const [text, setText] = useState(wishText(tag.last?.value))
  const write = useMutation({
    mutationFn: async (value: unknown) => {
      const params = { org, deviceId: device.deviceId }
      const body = { data: [{ modelPath: tag.path, v: value }], timeoutMs: patienceMs }
      return (await api.platform.writeTags({ params, body })).data[0]
    },
  })
  const unit = tag.unit ? `\u00a0${tag.unit}` : ''
  const show = (value: unknown) => plainValue(value, { locale, t }) + unit
  const { wished, problem } = touched(text !== wishText(old), readWish(text, tag))
  const change = wished && !write.data ? { from: show(old), to: show(wished.value) } : undefined
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (wished) write.mutate(wished.value)
      }}
    >
      <Target device={device} tag={tag} />
      <WishField tag={tag} text={text} onChange={setText} problem={problem} />
      <p className={classes.change} aria-live="polite">
        {change && t('devices.write.change', change)}
      </p>
      {write.isPending && <StatusDot tone="info">{t('devices.write.sent')}</StatusDot>}
      <Answer answer={write.data} show={show} />
      {write.error && <ErrorPanel {...errorText(write.error)} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {write.data ? t('ui.close') : t('ui.cancel')}
        </Button>
        <Button type="submit" loading={write.isPending} disabled={!wished}>
          {t('devices.write.verb', { device: device.label })}
        </Button>
      </Group>
    </form>
  )
}

/** A wish counts once the text is another than the value that the device has. */
const touched = (changed: boolean, wish: Wish) => ({
  wished: changed && 'value' in wish ? wish : undefined,
  problem: changed && 'problem' in wish ? wish.problem : undefined,
})

function Target({ device, tag }: { device: Props['device']; tag: TagWithValue }) {
  const t = useWords()
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
        <TagValue tag={tag} live={tag.last} connected={undefined} />
      </dd>
    </dl>
  )
}

type AnswerProps = {
  answer: { status: 'sent' | 'confirmed' | 'no_answer'; value?: unknown } | undefined
  show: (value: unknown) => string
}

/** What the device made of it: its own value, or that it said nothing. */
function Answer({ answer, show }: AnswerProps) {
  const t = useWords()
  return (
    <output>
      {answer?.status === 'confirmed' && (
        <StatusDot tone="ok">
          {t('devices.write.confirmed', { value: show(answer.value) })}
        </StatusDot>
      )}
      {answer && answer.status !== 'confirmed' && (
        <StatusDot tone="warning">{t('devices.write.noAnswer')}</StatusDot>
      )}
    </output>
  )
}

type FieldProps = {
  tag: TagWithValue
  text: string
  problem: string | undefined
  onChange: (text: string) => void
}

function WishField({ tag, text, problem, onChange }: FieldProps) {
  const t = useWords()
  const { min, max } = tag
  if (tag.type === 'boolean')
    return (
      <SegmentedControl
        aria-label={t('devices.write.value')}
        value={text}
        onChange={onChange}
        data={[
          { value: 'false', label: t('live.off') },
          { value: 'true', label: t('live.on') },
        ]}
      />
    )
  const limits =
    min !== undefined || max !== undefined
      ? t('devices.write.limits', { min: min ?? '−∞', max: max ?? '∞' })
      : undefined
  return (
    <TextInput
      data-autofocus
      label={t('devices.write.value')}
      description={limits}
      value={text}
      inputMode={tag.type === 'integer' || tag.type === 'double' ? 'decimal' : 'text'}
      rightSection={tag.unit}
      error={problem && t(problem, { min: min ?? '', max: max ?? '' })}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
