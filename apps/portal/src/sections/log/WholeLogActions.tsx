import { csvLine } from '@longreach/kit/csv'
import { useToast } from '@longreach/ui/Toasts'
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconDownload, IconRefresh } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { saveFile } from '../../parts/tables/save-file.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import type { LineWords, LogQuestion, LogSource } from './log-source.ts'
import { exportedLines } from './use-whole-log.ts'

type Props = {
  sources: readonly LogSource[]
  question: LogQuestion
  words: LineWords
  onRefresh: () => void
}

/** Buttons that read the log anew, and that save what the filters find as a CSV file. */
export function WholeLogActions({ sources, question, words, onRefresh }: Props) {
  const { t } = words
  const toast = useToast()
  const errorText = useErrorText()
  const run = useMutation({
    mutationFn: async () => {
      const { lines, next, failed } = await exportedLines(sources, question)
      const head = ['time', 'source', 'what', 'on', 'who', 'state', 'organization', 'details']
      const rows = lines.map((line) => {
        const { who, what, on, state } = line.texts(words)
        const details = line
          .facts(words)
          .filter(({ value }) => value !== '')
          .map(({ label, value }) => `${t(label)}: ${value}`)
        return csvLine([
          new Date(line.at).toISOString(),
          t(`whole-log.source.${line.source}`),
          what,
          on,
          who,
          state?.text ?? '',
          line.organization,
          details.join('; '),
        ])
      })
      const day = new Date().toISOString().slice(0, 10)
      saveFile(`log-${day}.csv`, ['\uFEFF', csvLine(head), ...rows])
      if (next !== null) toast({ message: t('whole-log.exportCut', { total: lines.length }) })
      for (const name of failed)
        toast({
          kind: 'failed',
          message: t('whole-log.away', { source: t(`whole-log.source.${name}`) }),
        })
    },
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
  return (
    <>
      <Tooltip label={t('log.refresh')}>
        <ActionIcon variant="default" size={30} aria-label={t('log.refresh')} onClick={onRefresh}>
          <IconRefresh size={16} />
        </ActionIcon>
      </Tooltip>
      <Button
        leftSection={<IconDownload size={16} />}
        loading={run.isPending}
        onClick={() => run.mutate()}
      >
        {t('whole-log.export')}
      </Button>
    </>
  )
}
