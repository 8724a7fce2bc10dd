import { csvLine } from '@longreach/kit/csv'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type Alarm, type AlarmQuestion, allAlarms } from '../../parts/alarms/alarm-calls.ts'
import { alarmState } from '../../parts/alarms/alarm-state.ts'
import { useAlarmText, valueOf } from '../../parts/alarms/alarm-text.ts'
import { saveFile } from '../../parts/tables/save-file.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useErrorText } from '../../parts/words/error-text.ts'

const fileName = 'alarms'

/** Most rows of a file. */
const most = 100_000

const columns = [
  'severity',
  'alarm',
  'device',
  'organization',
  'state',
  'value',
  'limitName',
  'since',
  'returned',
  'end',
  'class',
] as const

/** Button that saves the listed alarms, all of them, as a CSV file with times as ISO texts. */
export function ExportAlarms({ question }: { question: AlarmQuestion }) {
  const t = useWords()
  const organization = useReach()
  const textOf = useAlarmText()
  const toast = useToast()
  const errorText = useErrorText()
  const run = useMutation({
    mutationFn: async () => {
      const alarms = await allAlarms(organization, question, most)
      const lines = alarms.map((alarm) =>
        csvLine(cellsOfAlarm(alarm, textOf(alarm), t(`alarm.state.${alarmState(alarm)}`))),
      )
      const head = csvLine(columns.map((column) => t(`alarms.${column}`)))
      saveFile(`${fileName}.csv`, ['\uFEFF', head, ...lines])
      if (alarms.length === most) toast({ message: t('alarms.exportCut', { total: most }) })
    },
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
  return (
    <Button
      variant="default"
      loading={run.isPending}
      leftSection={<IconDownload size={16} stroke={1.8} />}
      onClick={() => run.mutate()}
    >
      {t('alarms.export')}
    </Button>
  )
}

function cellsOfAlarm(alarm: Alarm, text: string, state: string) {
  const { since, returnedAt, closedAt, words } = alarm.longreach
  const iso = (at: number | null) => (at === null ? '' : new Date(at).toISOString())
  const plain = (value: unknown) =>
    value === undefined || value === null
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)
  return [
    String(alarm.severity),
    text,
    alarm.deviceLabel || alarm.deviceId,
    alarm.orgResourceId,
    state,
    plain(valueOf(alarm)),
    plain(words?.limit),
    iso(since),
    iso(returnedAt),
    iso(closedAt),
    alarm.longreach.class,
  ]
}
