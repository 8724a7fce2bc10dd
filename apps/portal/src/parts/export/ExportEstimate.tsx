import { formatBytes } from '@longreach/ui/format'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import type { api } from '../api/api.ts'
import classes from './export.module.css'

type Estimate = Awaited<ReturnType<typeof api.platform.estimateExport>>
type Props = { estimate: Estimate | undefined; pending: boolean }

/** Estimated size of the export, as a sentence that screen readers read when it changes. */
export function ExportEstimate({ estimate, pending }: Props) {
  const t = useWords()
  const { locale } = useIntl()
  if (!estimate)
    return <output className={classes.dim}>{pending ? t('export.counting') : ''}</output>
  const { devices, series, values, bytes, exact } = estimate
  const size = formatBytes(bytes, { locale })
  const key = exact ? 'export.estimate' : 'export.estimateAbout'
  return (
    <output className={classes.estimate} data-pending={pending || undefined}>
      {values === 0 ? t('export.nothing') : t(key, { devices, series, values, size })}
    </output>
  )
}
