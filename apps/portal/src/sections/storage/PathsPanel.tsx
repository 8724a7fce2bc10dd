import { CopyText } from '@longreach/ui/CopyText'
import { EmptyState } from '@longreach/ui/EmptyState'
import { BytesText } from '@longreach/ui/NumberText'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Facts, PanelSection, SidePanel } from '@longreach/ui/SidePanel'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { useDeviceStorage, type UsedDevice, type UsedPath } from './storage-calls.ts'
import { ContentPending } from '../../parts/pages/ContentPending.tsx'

/** Panel of a device's paths, with the storage that each takes and its retention. */
export function PathsPanel({ device, onClose }: { device: UsedDevice; onClose: () => void }) {
  const t = useWords()
  const paths = useDeviceStorage(device)
  return (
    <SidePanel
      title={device.label || device.deviceId}
      facts={<CopyText text={device.deviceId} label={t('storage.deviceId')} shorten />}
      onClose={onClose}
    >
      {!paths.data && <ContentPending {...paths} rows={4} />}
      {paths.data?.length === 0 && (
        <EmptyState kind="nothing" title={t('storage.noPaths')} text={t('storage.noPathsText')} />
      )}
      {paths.data?.map((path) => (
        <PathFacts key={path.modelPath} path={path} />
      ))}
    </SidePanel>
  )
}

function PathFacts({ path }: { path: UsedPath }) {
  const t = useWords()
  const intl = useIntl()
  const { modelPath, bytes, values, valuesPerDay, oldest, keepDays } = path
  const kept = keepDays === null ? t('storage.forEver') : t('storage.days', { days: keepDays })
  return (
    <PanelSection title={modelPath}>
      <Facts
        items={[
          { label: t('storage.size'), value: <BytesText value={bytes} /> },
          { label: t('storage.values'), value: intl.formatNumber(values) },
          {
            label: t('storage.columns.valuesPerDay'),
            value: intl.formatNumber(Math.round(valuesPerDay)),
          },
          { label: t('storage.oldest'), value: <RelativeTime at={oldest} /> },
          { label: t('storage.kept'), value: kept },
        ]}
      />
    </PanelSection>
  )
}
