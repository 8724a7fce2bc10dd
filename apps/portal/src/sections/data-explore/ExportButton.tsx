import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { LateExportDialog } from '../../parts/export/export-loading.ts'
import type { ExploreState } from './explore-url.ts'
import type { Explored } from './use-explored.ts'

type Props = { state: ExploreState; explored: Explored }

/** The values of the window as a file; what is drawn is in the table's own menu. */
export function ExportButton({ state: { zone, lines }, explored: { window } }: Props) {
  const t = useWords()
  const [opened, setOpened] = useState(false)
  const sources = lines.map(({ device, path }) => ({ deviceId: device, modelPath: path }))
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={15} />}
        disabled={lines.length === 0}
        onClick={() => setOpened(true)}
      >
        {t('data-explore.export')}
      </Button>
      {opened && (
        <LateExportDialog
          devices={{ sources }}
          start={{ range: window, zone, layout: 'wide' }}
          onClose={() => setOpened(false)}
        />
      )}
    </>
  )
}
