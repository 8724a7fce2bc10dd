import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useReach } from '../../parts/session/reach.ts'
import { shortPath } from '../../parts/devices/tags.ts'
import tree from './tree.module.css'
import { Tree } from './TreeBranch.tsx'
import { DeviceItems } from './TreeOrganizations.tsx'
import { PathItem } from './TreePaths.tsx'

/** Results of a search: devices by name and description, values by path. */
export function TreeResults({ search }: { search: string }) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useReach()
  const values = useQuery({
    queryKey: [api.platform.searchValues.key, org, search],
    queryFn: ({ signal }) =>
      api.platform.searchValues({ params: { org }, query: { search } }, { signal }),
    enabled: search.length >= 2,
    placeholderData: keepPreviousData,
  })
  const found = search.length >= 2 ? (values.data ?? []) : []
  return (
    <>
      <section className={tree.place}>
        <h2>{t('data-explore.devices')}</h2>
        <Tree label={t('data-explore.devices')}>
          <DeviceItems organization={org} level={1} search={search} />
        </Tree>
      </section>
      {values.error && (
        <ErrorPanel {...errorText(values.error)} onRetry={() => void values.refetch()} />
      )}
      {found.length > 0 && (
        <section className={tree.place}>
          <h2>{t('data-explore.values')}</h2>
          <Tree label={t('data-explore.values')}>
            {found.map(({ deviceId, deviceLabel, modelPath, type, label, unit }) => (
              <PathItem
                key={`${deviceId}/${modelPath}`}
                device={deviceId}
                level={1}
                connected={undefined}
                beside={`${deviceLabel} · ${shortPath(modelPath)}`}
                tag={{
                  path: modelPath,
                  name: label ?? shortPath(modelPath),
                  type,
                  writable: false,
                  history: true,
                  last: undefined,
                  ...(unit !== undefined && { unit }),
                }}
              />
            ))}
          </Tree>
        </section>
      )}
      {values.isSuccess && found.length === 0 && (
        <EmptyState kind="filtered" title={t('data-explore.noValueFound')} />
      )}
    </>
  )
}
