import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import { CloseButton, NumberInput, Select, TextInput } from '@mantine/core'
import { useFeature } from '../../parts/session/features.ts'
import { ConditionForm } from './ConditionForm.tsx'
import { DurationInput } from './DurationInput.tsx'
import { EnableFast } from './FastNote.tsx'
import { freshTrigger, tooFast, triggerTypes, usualLeastMs } from './policy-rules.ts'
import { usePolicyWords } from './policy-words.ts'
import type { Policy, Trigger } from './preset-tree-rules.ts'
import shared from './presets.module.css'
import classes from './PolicyForm.module.css'

type Props = {
  policy: Policy
  /** Of a struct: the names that a trigger may watch. */
  fields: readonly string[]
  locked: boolean
  onChange: (policy: Policy) => void
}

/** Form of the policy of sending a value: triggers, of which any suffices, and conditions. */
export function PolicyForm({ policy, fields, locked, onChange }: Props) {
  const t = useWords()
  const say = usePolicyWords()
  const fast = useFeature('highFreq')
  const { triggers = [] } = policy
  const put = (next: readonly Trigger[]) => onChange({ ...policy, triggers: next })
  const kinds = triggerTypes.filter((type) => fields.length > 0 || !type.startsWith('field'))
  return (
    <fieldset className={shared.policy} disabled={locked}>
      <legend>{t('presets.policy')}</legend>
      <ul className={classes.said}>
        {say(policy).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {triggers.map((trigger, place) => (
        <TriggerForm
          // oxlint-disable-next-line react/no-array-index-key -- a trigger has nothing of its own to be told by
          key={place}
          trigger={trigger}
          fields={fields}
          least={fast ? 0 : usualLeastMs}
          onChange={(next) => put(triggers.with(place, next))}
          onRemove={() => put(triggers.filter((_, index) => index !== place))}
        />
      ))}
      {!fast && tooFast(policy).length > 0 && (
        <p className={shared.warn} role="alert">
          {t('presets.tooFast')} <EnableFast />
        </p>
      )}
      <Select
        label={t('presets.addTrigger')}
        placeholder={t('presets.addTriggerHint')}
        value={null}
        data={kinds.map((value) => ({ value, label: t(`presets.trigger.${value}`) }))}
        onChange={(type) => type !== null && put([...triggers, freshTrigger(type)])} // one of the list above
      />
      <ConditionForm
        conditions={policy.conditions ?? undefined}
        onChange={({ conditions }) => {
          const { conditions: _before, ...rest } = policy
          onChange(conditions ? { ...rest, conditions } : rest)
        }}
      />
    </fieldset>
  )
}

const changeMasks = [
  ['value', 'presets.mask.value'],
  ['timestamp', 'presets.mask.timestamp'],
  ['value|timestamp', 'presets.mask.value-timestamp'],
] as const

type NumberLabel = 'level' | 'deadband' | 'deadbandPercent' | 'skip'

type TriggerProps = {
  trigger: Trigger
  fields: readonly string[]
  least: number
  onChange: (trigger: Trigger) => void
  onRemove: () => void
}

function TriggerForm({ trigger, fields, least, onChange, onRemove }: TriggerProps) {
  const t = useWords()
  const findWords = useOptionalWords()
  const { type } = trigger
  const name = findWords(`presets.trigger.${type}`) ?? type
  const put = (key: string, value: unknown) => {
    const { [key]: _before, ...rest } = trigger
    onChange((value === '' || value === undefined ? rest : { ...rest, [key]: value }) as Trigger) // its type stays
  }
  const number = (key: string, label: NumberLabel, min = 0) => (
    <NumberInput
      size="xs"
      label={t(`presets.field.${label}`)}
      description={label === 'skip' ? t('presets.skipHelp') : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      min={min}
      value={typeof trigger[key] === 'number' ? trigger[key] : ''}
      onChange={(value) => put(key, value === '' ? undefined : Number(value))}
    />
  )
  const duration = (key: 'intervalMs' | 'minIntervalMs') => (
    <DurationInput
      label={t(`presets.field.${key}`)}
      value={typeof trigger[key] === 'number' ? trigger[key] : undefined}
      error={isBelow(trigger[key], least) ? t('presets.tooFastShort') : undefined}
      onChange={(ms) => put(key, ms)}
    />
  )
  return (
    <section className={shared.trigger} aria-label={name}>
      <header>
        <strong>{name}</strong>
        <CloseButton size="xs" aria-label={t('presets.removeTrigger')} onClick={onRemove} />
      </header>
      {type.startsWith('field') && (
        <Select
          size="xs"
          label={t('presets.field.fieldName')}
          data={[...fields]}
          value={String(trigger['fieldName'] ?? '') || null}
          onChange={(value) => put('fieldName', value ?? '')}
        />
      )}
      {type === 'timer' ? (
        duration('intervalMs')
      ) : (
        <>
          {type.endsWith('level') && (
            <LevelFields trigger={trigger} put={put}>
              {number('level', 'level', -Number.MAX_VALUE)}
            </LevelFields>
          )}
          <div className={shared.pair}>
            {number('deadband', 'deadband')}
            {number('deadbandPercent', 'deadbandPercent')}
          </div>
          <div className={shared.pair}>
            {duration('minIntervalMs')}
            {number('skipFirstNChanges', 'skip')}
          </div>
          <TextInput
            size="xs"
            label={t('presets.field.tagName')}
            value={String(trigger['tagName'] ?? '')}
            onChange={(event) => put('tagName', event.currentTarget.value)}
          />
          <Select
            size="xs"
            label={t('presets.field.changeMask')}
            allowDeselect={false}
            data={changeMasks.map(([value, word]) => ({ value, label: t(word) }))}
            value={String(trigger['changeMask'] ?? 'value')}
            onChange={(value) => put('changeMask', value ?? 'value')}
          />
        </>
      )}
    </section>
  )
}

const isBelow = (value: unknown, least: number) =>
  typeof value === 'number' && value > 0 && value < least

type LevelProps = {
  trigger: Trigger
  put: (key: string, value: unknown) => void
  children: React.ReactNode
}

function LevelFields({ trigger, put, children }: LevelProps) {
  const t = useWords()
  const modes = ['both', 'onenter', 'onexit'] as const
  return (
    <>
      <div className={shared.pair}>
        {children}
        <TextInput
          size="xs"
          label={t('presets.field.levelString')}
          value={String(trigger['levelString'] ?? '')}
          onChange={(event) => put('levelString', event.currentTarget.value)}
        />
      </div>
      <Select
        size="xs"
        label={t('presets.field.mode')}
        description={trigger['mode'] ? t('presets.modeNote') : undefined}
        allowDeselect={false}
        data={modes.map((value) => ({ value, label: t(`presets.levelMode.${value}`) }))}
        value={String(trigger['mode'] ?? '') || 'both'}
        onChange={(value) => put('mode', value === 'both' ? '' : value)}
      />
    </>
  )
}
