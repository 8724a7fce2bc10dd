import { csvLine } from '@longreach/kit/csv'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { saveFile } from '../../../parts/tables/save-file.ts'
import { printPage } from './print-light.ts'
import type { Report } from './report-calls.ts'
import type { ReportState } from './report-url.ts'
import { useReportLines } from './use-report-lines.ts'

/** Buttons that print the report, and that save its figures as a CSV file. */
export function ReportActions({ report, state }: { report: Report; state: ReportState }) {
  const t = useWords()
  const linesOf = useReportLines()
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} stroke={1.8} />}
        onClick={() => {
          const day = new Date(state.window.from).toISOString().slice(0, 10)
          const lines = linesOf(report, state).map((cells) => csvLine(cells))
          saveFile(`alarm-report-${day}.csv`, ['\uFEFF', ...lines])
        }}
      >
        {t('alarm-report.csv')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconPrinter size={16} stroke={1.8} />}
        onClick={() => void printPage()}
      >
        {t('alarm-report.print')}
      </Button>
    </>
  )
}
