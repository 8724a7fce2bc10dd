import { ActionButton } from '@longreach/ui/ActionButton'
import { FormDialog } from '@longreach/ui/FormDialog'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Button, Fieldset, NumberInput, TagsInput, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { stale } from '../../parts/api/api.ts'
import { type Escalation, notificationsApi } from '../../parts/notifications/notification-calls.ts'
import { besideForm, useErrorText } from '../../parts/words/error-text.ts'
import { useMayNot, useOwnOrganization } from './admin-calls.ts'
import classes from './on-call.module.css'
import { useRecipientNames } from './recipient-names.ts'
import { RemovalDialog } from './RemovalDialog.tsx'

type Step = { key: number; afterMin: number; to: string[] }
type Props = {
  /** Absent: a new one. */
  escalation?: Escalation
  onClose: () => void
}

const newEscalation: Pick<Escalation, 'name' | 'repeat' | 'steps'> = {
  name: '',
  repeat: 0,
  steps: [{ afterMin: 5, to: [] }],
}

/** Form of an escalation. */
export function EscalationDialog({ escalation, onClose }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const query = useOwnOrganization()
  const names = useRecipientNames()
  const begun = escalation ?? newEscalation
  const [name, setName] = useState(begun.name)
  const [repeat, setRepeat] = useState(begun.repeat)
  const [steps, setSteps] = useState<Step[]>(() =>
    begun.steps.map(({ afterMin, to }, key) => ({ key, afterMin, to: to.map(names.toText) })),
  )
  const [isDeleting, setDeleting] = useState(false)
  const reason = useMayNot('notifications:update')
  const save = useMutation({
    mutationFn: () => {
      const body = {
        name: name.trim(),
        repeat,
        steps: steps.map(({ afterMin, to }) => ({ afterMin, to: to.map(names.toRecipient) })),
      }
      return escalation
        ? notificationsApi.replaceEscalation({ params: { id: escalation.id }, query, body })
        : notificationsApi.createEscalation({ query, body })
    },
    onSuccess: async () => {
      await stale(notificationsApi.escalations)
      onClose()
    },
  })
  const { at, below } = besideForm(save.error ? errorText(save.error) : undefined, ['name'])
  const faultOf = (step: number) =>
    Object.entries(at).find(([field]) => field.startsWith(`steps.${step}.`))?.[1]
  const hasFault = steps.some((_, step) => faultOf(step) !== undefined)
  if (escalation && isDeleting) return <DeleteEscalation {...{ escalation, onClose }} />
  return (
    <FormDialog
      size="lg"
      title={escalation?.name ?? t('on-call.newEscalation')}
      verb={t('notifications-admin.save')}
      pending={save.isPending}
      error={reason ? t(reason) : hasFault ? undefined : below}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        required
        label={t('notifications-admin.name')}
        value={name}
        maxLength={200}
        error={at['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <StepList {...{ steps, setSteps, faultOf }} suggestions={names.suggestions} />
      <NumberInput
        label={t('on-call.repeat')}
        description={t('on-call.repeatHelp')}
        value={repeat}
        min={0}
        max={20}
        allowDecimal={false}
        onChange={(times) => setRepeat(Number(times) || 0)}
      />
      {escalation && (
        <ActionButton
          variant="default"
          className={classes.add}
          reason={reason && t(reason)}
          onClick={() => setDeleting(true)}
        >
          {t('notifications-admin.delete')}
        </ActionButton>
      )}
    </FormDialog>
  )
}

type StepListProps = {
  steps: Step[]
  setSteps: (steps: Step[]) => void
  faultOf: (step: number) => string | undefined
  suggestions: string[]
}

function StepList({ steps, setSteps, faultOf, suggestions }: StepListProps) {
  const t = useWords()
  return (
    <>
      {steps.map((step, place) => (
        <StepFields
          key={step.key}
          {...{ step, place, suggestions, fault: faultOf(place) }}
          onChange={(part) =>
            setSteps(steps.map((one) => (one === step ? { ...one, ...part } : one)))
          }
          onRemove={
            steps.length > 1 ? () => setSteps(steps.filter((one) => one !== step)) : undefined
          }
        />
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        className={classes.add}
        leftSection={<IconPlus size={14} stroke={2} />}
        disabled={steps.length >= 20}
        onClick={() => {
          const key = Math.max(...steps.map((step) => step.key)) + 1
          setSteps([...steps, { key, afterMin: 15, to: [] }])
        }}
      >
        {t('on-call.addStep')}
      </Button>
    </>
  )
}

type StepProps = {
  step: Step
  place: number
  fault: string | undefined
  suggestions: string[]
  onChange: (part: Partial<Step>) => void
  onRemove: (() => void) | undefined
}

function StepFields({ step, place, fault, suggestions, onChange, onRemove }: StepProps) {
  const t = useWords()
  return (
    <Fieldset
      className={classes.box}
      legend={
        <span className={classes.legend}>
          {t('on-call.step', { n: place + 1 })}
          {onRemove && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('on-call.removeStep', { n: place + 1 })}
              onClick={onRemove}
            >
              <IconTrash size={15} stroke={1.7} />
            </ActionIcon>
          )}
        </span>
      }
    >
      <NumberInput
        label={t('on-call.afterMin')}
        value={step.afterMin}
        min={0}
        max={10_080}
        allowDecimal={false}
        onChange={(minutes) => onChange({ afterMin: Number(minutes) || 0 })}
      />
      <TagsInput
        label={t('on-call.to')}
        description={t('on-call.toHelp')}
        data={suggestions}
        value={step.to}
        error={fault}
        onChange={(to) => onChange({ to })}
      />
    </Fieldset>
  )
}

function DeleteEscalation({
  escalation: { id, name },
  onClose,
}: Required<Pick<Props, 'escalation'>> & Pick<Props, 'onClose'>) {
  const t = useWords()
  const query = useOwnOrganization()
  return (
    <RemovalDialog
      name={name}
      text={t('on-call.deleteEscalationText')}
      remove={async () => {
        await notificationsApi.deleteEscalation({ params: { id }, query })
        await stale(notificationsApi.escalations)
      }}
      onClose={onClose}
    />
  )
}
