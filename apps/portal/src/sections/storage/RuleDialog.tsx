import { formatBytes } from '@longreach/ui/format'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { FormDialog } from '@longreach/ui/FormDialog'
import { NumberInput, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useIntl } from 'react-intl'
import { api } from '../../parts/api/api.ts'
import { type Failure, useErrorText } from '../../parts/words/error-text.ts'
import { useSession } from '../../parts/session/session.ts'
import { type Rule, rulesChanged } from './storage-calls.ts'
import classes from './storage.module.css'

const targets = ['all', 'model', 'path'] as const
type Target = (typeof targets)[number]
type Body = { model: string; path: string; keepDays: number }

const targetOf = (rule: Rule | undefined): Target =>
  rule?.path ? 'path' : rule?.model ? 'model' : 'all'

/** Dialog of a retention rule: its values, their days, and the values that it would delete. */
export function RuleDialog({ rule, onClose }: { rule: Rule | undefined; onClose: () => void }) {
  const t = useWords()
  const form = useRuleForm(rule)
  const { target, name, days, body } = form
  const { save, failure } = useSave(onClose)
  const nameField = useRef<HTMLInputElement>(null)
  const daysField = useRef<HTMLInputElement>(null)
  const [tried, setTried] = useState(false)
  const nameMissing = target !== 'all' && name.trim() === ''
  const submit = () => {
    setTried(true)
    if (nameMissing) return nameField.current?.focus()
    if (!body) return daysField.current?.focus()
    return save.mutate(body)
  }
  return (
    <FormDialog
      onClose={onClose}
      title={t(rule ? 'storage.changeRule' : 'storage.newRule')}
      verb={t('storage.save')}
      pending={save.isPending}
      error={failure && !failure.fields['keepDays'] ? failure.message : undefined}
      onSubmit={() => submit()}
    >
      <SegmentedControl
        fullWidth
        aria-label={t('storage.what')}
        disabled={rule !== undefined}
        value={target}
        onChange={(value) => form.setTarget(targets.find((one) => one === value) ?? 'all')}
        data={targets.map((value) => ({ value, label: t(`storage.targets.${value}`) }))}
      />
      {target !== 'all' && (
        <TextInput
          ref={nameField}
          label={t(`storage.names.${target}`)}
          description={t(`storage.nameHelp.${target}`)}
          value={name}
          disabled={rule !== undefined}
          maxLength={2_000}
          error={tried && nameMissing && t('storage.nameNeeded')}
          onChange={(event) => form.setName(event.currentTarget.value)}
        />
      )}
      <NumberInput
        ref={daysField}
        data-autofocus
        label={t('storage.keepDays')}
        description={t('storage.keepDaysHelp')}
        value={days}
        min={1}
        max={36_500}
        allowDecimal={false}
        error={
          tried && !body && !nameMissing ? t('storage.daysNeeded') : failure?.fields['keepDays']
        }
        onChange={form.setDays}
      />
      <Preview body={body} />
    </FormDialog>
  )
}

function useRuleForm(rule: Rule | undefined) {
  const [target, setTarget] = useState(targetOf(rule))
  const [name, setName] = useState(rule?.path || rule?.model || '')
  const [days, setDays] = useState<number | string>(rule?.keepDays ?? 365)
  const keepDays = Number(days)
  const complete = keepDays >= 1 && keepDays <= 36_500 && (target === 'all' || name.trim() !== '')
  const at = (which: Target) => (target === which ? name.trim() : '')
  const body: Body | undefined = complete
    ? { model: at('model'), path: at('path'), keepDays }
    : undefined
  return { target, setTarget, name, setName, days, setDays, body }
}

function useSave(onClose: () => void) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const params = { org: useSession().organization.resourceId }
  const save = useMutation({
    mutationFn: (body: Body) => api.platform.saveRetention({ params, body }),
    onSuccess: () => {
      toast({ message: t('storage.saved') })
      onClose()
      return rulesChanged()
    },
  })
  const failure: Failure | undefined = save.error ? errorText(save.error) : undefined
  return { save, failure }
}

/** Preview of the values that the rule would delete, counted anew while the person types. */
function Preview({ body }: { body: Body | undefined }) {
  const t = useWords()
  const { locale } = useIntl()
  const errorText = useErrorText()
  const params = { org: useSession().organization.resourceId }
  const [asked] = useDebouncedValue(body && JSON.stringify(body), 400)
  const would = useQuery({
    queryKey: [api.platform.previewRetention.key, params, asked],
    queryFn: ({ signal }) =>
      api.platform.previewRetention(
        { params, body: JSON.parse(asked ?? '{}') as Body },
        { signal },
      ),
    enabled: asked !== undefined,
    retry: false,
  })
  const size = formatBytes(would.data?.bytes ?? 0, { base: 1024, locale })
  return (
    <div className={classes.preview} role="status">
      <b>{t('storage.preview')}</b>
      {would.error ? (
        <span>{errorText(would.error).message}</span>
      ) : !would.data ? (
        <span>{t(asked === undefined ? 'storage.previewLater' : 'storage.counting')}</span>
      ) : would.data.values === 0 ? (
        <span>{t('storage.previewNothing')}</span>
      ) : (
        <span>{t('storage.previewGone', { ...would.data, size })}</span>
      )}
      <p className={classes.hint}>{t('storage.previewHelp')}</p>
    </div>
  )
}
