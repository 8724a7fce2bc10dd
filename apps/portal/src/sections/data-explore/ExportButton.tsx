import { useWords } from '@longreach/ui/use-words'
import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { saveFile } from '../../lib/csv.ts'
import { useErrorText } from '../../lib/error-text.ts'
import { useReach } from '../../lib/reach.ts'
import { authorizedFetch } from '../../lib/send.ts'
import type { ExploreState } from './explore-url.ts'
import type { Explored } from './use-explored.ts'

type Props = { state: ExploreState; explored: Explored }

/** Every stored value of the window as CSV, written by the server; what is drawn is in the table's own menu. */
export function ExportButton({ state: { zone, lines }, explored: { window } }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useReach()
  const name = `values-${new Date(window.from).toISOString().slice(0, 10)}`
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
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
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
          <Menu.Item onClick={() => stored.mutate()}>{t('data-explore.exportStored')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

const storedUrl = (org: string) =>
  `/svc/platform/api/v1/organizations/${encodeURIComponent(org)}/devices/tags/query`
