import { late } from '@longreach/ui/late'
import { ListPage } from '../../../parts/pages/ListPage.tsx'
import { SearchField } from '@longreach/ui/SearchField'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../parts/api/api.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { watchJob } from '../../../parts/jobs/jobs.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { useListSearch } from '../../../parts/pages/use-list-search.ts'
import { Breadcrumb } from '../../../parts/pages/Breadcrumb.tsx'
import { whenDone } from './bulk-watch.ts'
import { type Deleted, useTrashColumns } from './trash-columns.tsx'

const PurgeDialog = late(() => import('./PurgeDialog.tsx'), 'PurgeDialog')
const RestoreDialog = late(() => import('./RestoreDialog.tsx'), 'RestoreDialog')

const noIds: ReadonlySet<string> = new Set()
const pageSize = 100
/** Deleted devices that can still be brought back, with everything they had. */
export function Component() {
  const t = useWords()
  const { text, field } = useListSearch()
  const list = useDeleted(text)
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const total = list.data?.pages[0]?.totalElements
  const empty = text === '' ? 'trashEmpty' : 'notFound'
  const [checked, setChecked] = useState(noIds)
  const [acting, setActing] = useState<Acting>()
  const columns = useTrashColumns((kind, device) => setActing({ kind, device }))
  return (
    <ListPage
      title={t('devices.trash')}
      count={total}
      help={t('devices.trashHelp')}
      trail={<Breadcrumb to="/devices" section="devices" />}
      name="devices-trash"
      columns={columns}
      rows={rows}
      rowId={(row) => row.deviceId}
      total={total}
      checked={checked}
      onChecked={setChecked}
      list={list}
      toolbar={
        <>
          <SearchField label={t('devices.search')} {...field} />
          {checked.size > 0 && (
            <RestoreMany ids={[...checked]} onStarted={() => setChecked(noIds)} />
          )}
        </>
      }
      none={{
        kind: text === '' ? 'nothing' : 'filtered',
        title: t(`devices.${empty}`),
        text: t(`devices.${empty}Text`),
        action: <BackButton />,
      }}
    >
      {acting && <ActingDialog {...acting} onClose={() => setActing(undefined)} />}
    </ListPage>
  )
}

function useDeleted(text: string) {
  const organization = useReach()
  const asked = { organization, pageSize, ...(text !== '' && { search: text }) }
  return useInfiniteQuery({
    queryKey: [api.mappings.deletedDevices.key, asked],
    queryFn: ({ pageParam, signal }) =>
      api.mappings.deletedDevices({ query: { ...asked, page: pageParam } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.last ? undefined : page.number + 1),
    placeholderData: keepPreviousData,
  })
}

function BackButton() {
  const t = useWords()
  return (
    <Button variant="default" component={Link} to="/devices">
      {t('devices.backToList')}
    </Button>
  )
}

type Acting = { kind: 'restore' | 'purge'; device: Deleted }

const ActingDialog = ({ kind, ...rest }: Acting & { onClose: () => void }) =>
  kind === 'restore' ? <RestoreDialog {...rest} /> : <PurgeDialog {...rest} />

/** Brings many back as long work; those whose name is taken stay, and are told. */
function RestoreMany({ ids, onStarted }: { ids: string[]; onStarted: () => void }) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const organization = useReach()
  const label = t('devices.restoreMany', { count: ids.length })
  const restore = useMutation({
    mutationFn: () => {
      const body = { action: { kind: 'restore' as const }, selection: { ids }, label }
      return api.mappings.changeDevices({ query: { organization }, body })
    },
    onSuccess: async ({ id }) => {
      whenDone(id, organization.replace(/\.\*$/, ''))
      onStarted()
      await watchJob('mappings')
    },
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
  return (
    <Button
      variant="default"
      loading={restore.isPending}
      leftSection={<IconArrowBackUp size={15} stroke={1.6} />}
      onClick={() => restore.mutate()}
    >
      {label}
    </Button>
  )
}
