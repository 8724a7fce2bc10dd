import { formatBytes } from '@longreach/ui/format'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { api } from '../api/api.ts'
import { useErrorText } from '../words/error-text.ts'
import type { ServiceJob } from './jobs.ts'
import { useSession } from '../session/session.ts'

type Download = { name: string; bytes: number; expiresAt: number }

/** The file that a job made, where it made one that is still there. */
export function downloadOf({ service, state, result }: ServiceJob): Download | undefined {
  if (service !== 'platform' || state !== 'DONE' || !isObject(result)) return undefined
  const { download } = result
  if (!isObject(download)) return undefined
  const { name, bytes, expiresAt } = download
  const whole =
    typeof name === 'string' && typeof bytes === 'number' && typeof expiresAt === 'number'
  return whole && expiresAt > Date.now() ? { name, bytes, expiresAt } : undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Takes the file of a job: the browser downloads it by itself, however long it is. */
export function JobDownload({ job, download }: { job: ServiceJob; download: Download }) {
  const t = useWords()
  const { locale, formatDate } = useIntl()
  const toast = useToast()
  const errorText = useErrorText()
  const org = useSession().organization.resourceId
  const take = useMutation({
    mutationFn: () => api.platform.exportLink({ params: { org, exportId: job.id } }),
    onSuccess: ({ url }) => {
      const link = document.createElement('a')
      link.href = url
      link.download = download.name
      link.click()
    },
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
  return (
    <>
      <Text size="xs" c="dimmed">
        {t('jobs.until', { at: formatDate(download.expiresAt, { dateStyle: 'medium' }) })}
      </Text>
      <Button size="compact-xs" loading={take.isPending} onClick={() => take.mutate()}>
        {t('jobs.download', { size: formatBytes(download.bytes, { locale }) })}
      </Button>
    </>
  )
}
