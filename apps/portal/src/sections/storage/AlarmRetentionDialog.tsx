import type { alarmsContract } from '@longreach/alarms/contract'
import type { Result } from '@longreach/kit/contract'
import { FormDialog } from '@longreach/ui/FormDialog'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { NumberInput, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { alarmsApi } from '../../parts/alarms/alarm-calls.ts'
import { stale } from '../../parts/api/api.ts'
import { useSession } from '../../parts/session/session.ts'
import { besideForm, useErrorText } from '../../parts/words/error-text.ts'

type Settings = Result<(typeof alarmsContract)['endpoints']['alarmSettings']>
type Props = { settings: Settings; onClose: () => void }

const [least, most] = [30, 3_660]

/** Dialog of the days for which closed alarms are kept, and the classes that need a note when they are shelved. */
export function AlarmRetentionDialog({ settings, onClose }: Props) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const organization = useSession().organization.resourceId
  const [days, setDays] = useState<number | string>(settings.keepDays ?? '')
  const [classes, setClasses] = useState((settings.noteClasses ?? []).join('\n'))
  const [tried, setTried] = useState(false)
  const keepDays = days === '' ? null : Number(days)
  const isWrong =
    keepDays !== null && !(Number.isInteger(keepDays) && keepDays >= least && keepDays <= most)
  const save = useMutation({
    mutationFn: () => {
      const names = classes.split('\n').flatMap((line) => line.trim() || [])
      return alarmsApi.saveAlarmSettings({
        query: { organization },
        body: { keepDays, noteClasses: names.length === 0 ? null : names },
      })
    },
    onSuccess: async () => {
      await stale(alarmsApi.alarmSettings)
      toast({ message: t('alarm-retention.saved') })
      onClose()
    },
  })
  const failure = save.error ? errorText(save.error) : undefined
  const { at, below } = besideForm(failure, ['keepDays', 'noteClasses'])
  return (
    <FormDialog
      title={t('alarm-retention.title')}
      verb={t('alarm-retention.save')}
      pending={save.isPending}
      error={below}
      onSubmit={() => {
        setTried(true)
        if (!isWrong) save.mutate()
      }}
      onClose={onClose}
    >
      <NumberInput
        data-autofocus
        label={t('alarm-retention.days')}
        description={t('alarm-retention.daysHelp')}
        placeholder={String(settings.effective.keepDays)}
        value={days}
        allowDecimal={false}
        allowNegative={false}
        error={tried && isWrong ? t('alarm-retention.daysWrong') : at['keepDays']}
        onChange={setDays}
      />
      <Textarea
        label={t('alarm-retention.classes')}
        description={t('alarm-retention.classesHelp')}
        autosize
        minRows={2}
        value={classes}
        error={at['noteClasses']}
        onChange={(event) => setClasses(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
