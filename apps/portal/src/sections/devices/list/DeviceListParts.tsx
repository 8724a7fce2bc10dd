import { ActionButton } from '@longreach/ui/ActionButton'
import { late } from '@longreach/ui/late'
import { KpiChips } from '@longreach/ui/KpiChips'
import { useWords } from '@longreach/ui/use-words'
import { Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { useMay } from '../../../parts/session/session.ts'
import { useOpenedByAddress } from '../../../parts/pages/use-opened-by-address.ts'
import type { useCounts } from '../device-calls.ts'
import type { ListState } from '../../../parts/devices/device-filters.ts'

const AddDeviceDialog = late(() => import('../bring-in/AddDeviceDialog.tsx'), 'AddDeviceDialog')

type FiguresProps = {
  state: ListState
  counts: ReturnType<typeof useCounts>
  onChange: (connection: string | undefined) => void
}

/** Numbers of devices in each state; each figure is also a filter. */
export function DeviceFigures({ state, counts, onChange }: FiguresProps) {
  const t = useWords()
  const intl = useIntl()
  const figure = (value: number | undefined) =>
    value === undefined ? {} : { value: intl.formatNumber(value) }
  const share =
    counts &&
    counts.total > 0 &&
    intl.formatNumber(counts.connected / counts.total, { style: 'percent' })
  const failed = counts?.configurationError
  return (
    <KpiChips
      label={t('devices.figures')}
      active={state.connection ?? 'all'}
      onChange={(id) => onChange(id === 'all' ? undefined : id)}
      items={[
        { id: 'all', label: t('devices.all'), ...figure(counts?.total) },
        {
          id: 'online',
          label: t('devices.online'),
          tone: 'ok',
          ...(share && { note: share }),
          ...figure(counts?.connected),
        },
        {
          id: 'offline',
          label: t('devices.offline'),
          tone: 'off',
          ...figure(counts && counts.total - counts.connected),
        },
        ...shownIf(Boolean(failed) || state.connection === 'error', {
          id: 'error',
          label: t('devices.failed'),
          tone: 'alarm' as const,
          ...figure(failed),
        }),
      ]}
    />
  )
}

const shownIf = <T,>(shown: boolean, item: T) => (shown ? [item] : [])

/** To many devices from a table. */
function ImportLink() {
  const t = useWords()
  if (!useMay()('devices:create')) return null
  return (
    <Button variant="default" component={Link} to="/devices/import">
      {t('devices.import')}
    </Button>
  )
}

/** One device, or many from a table. */
export const ListActions = () => (
  <>
    <ImportLink />
    <AddButton />
  </>
)

/** Makes a device, or says why not. */
function AddButton({ main = true }: { main?: boolean }) {
  const t = useWords()
  const may = useMay()('devices:create')
  const [byAddress, setByAddress] = useOpenedByAddress('device')
  const [byButton, setByButton] = useState(false)
  // Of two buttons on an empty page one answers to the address.
  const opened = byButton || (main && byAddress)
  const setOpened = (open: boolean) => {
    setByButton(open)
    if (!open) setByAddress(false)
  }
  return (
    <>
      <ActionButton
        reason={may ? undefined : t('devices.mayNotCreate')}
        variant={main ? 'filled' : 'default'}
        leftSection={<IconPlus size={16} />}
        onClick={() => setOpened(true)}
      >
        {t('devices.add')}
      </ActionButton>
      {opened && may && <AddDeviceDialog onClose={() => setOpened(false)} />}
    </>
  )
}

/** Ways to a first device, where there is none yet. */
export function FirstSteps() {
  const t = useWords()
  const may = useMay()
  const mayWalk = may('models:read') && may('devices:create')
  return (
    <Group gap="xs" justify="center">
      {mayWalk && (
        <Button variant="default" component={Link} to="/walkthrough">
          {t('devices.walk')}
        </Button>
      )}
      <AddButton main={false} />
    </Group>
  )
}
