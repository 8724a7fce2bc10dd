import type { ChartSeries } from '@longreach/ui/chart-data'
import type { TimeWindow } from '@longreach/ui/time-range'
import { useWords } from '@longreach/ui/use-words'
import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { authorizedFetch } from '../../lib/send.ts'
import { saveFile } from '../../lib/csv.ts'
import { useErrorText } from '../../lib/error-text.ts'
import type { Resolution } from '../../lib/resolution.ts'
import { useReach } from '../../lib/reach.ts'
import { tableCsv } from './explore-csv.ts'
import type { ExploreState } from './explore-url.ts'

type Props = {
  state: ExploreState
  window: TimeWindow
  resolution: Resolution
  series: readonly ChartSeries[]
}

/** The window as CSV: as drawn, one column a line; or every stored value, written by the server. */
export function ExportButton({ state, window, resolution, series }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useReach()
  const { zone, lines } = state
  const name = `values-${new Date(window.from).toISOString().slice(0, 10)}`
  const shown = () => saveFile(`${name}.csv`, [tableCsv(series, window, zone)])
  const stored = useMutation({
    mutationFn: async () => {
      const body = {
        sources: lines.map(({ device, path }) => ({ deviceId: device, modelPath: path })),
        since: window.from,
        to: window.to,
        format: 'csv',
        timestampFormat: 'iso8601',
        timezone: zone,
      }
      const answer = await authorizedFetch(storedUrl(org), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new TypeError(answer.statusText)
      saveFile(`${name}-stored.csv`, [await answer.blob()])
    },
  })
  return (
    <>
      {stored.error && <span role="alert">{errorText(stored.error).message}</span>}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconDownload size={15} />}
            disabled={lines.length === 0}
            loading={stored.isPending}
          >
            {t('data-explore.export')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('data-explore.exportZone', { zone })}</Menu.Label>
          <Menu.Item onClick={shown}>
            {resolution === 'raw' ? t('data-explore.exportShown') : t('data-explore.exportBuckets')}
          </Menu.Item>
          <Menu.Item onClick={() => stored.mutate()}>{t('data-explore.exportStored')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

const storedUrl = (org: string) =>
  `/svc/platform/api/v1/organizations/${encodeURIComponent(org)}/devices/tags/query`
