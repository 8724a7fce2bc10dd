import { late } from '@longreach/ui/late'
import { ListPage } from '../../parts/pages/ListPage.tsx'
import { useNow } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { useSession } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { useVersionColumns } from './version-columns.tsx'
import type { Version } from './version-rules.ts'
import { queries } from '../../parts/api/queries.ts'
import type { Asked } from '../../parts/pages/section.ts'

const VersionDialog = late(() => import('./VersionDialog.tsx'), 'VersionDialog')
const VersionPanel = late(() => import('./VersionPanel.tsx'), 'VersionPanel')

const agreementsQuery = (org: string) => query(api.core.agreements, { params: { org } })

/** Starts the call for the versions. */
export const loader = ({ org }: Asked) => void queries.prefetchQuery(agreementsQuery(org))

/** Page of the realm's agreements: every version with its text and the people who accepted it. */
export function Component() {
  const t = useWords()
  const now = useNow()
  const [search, change] = useSearch()
  const [making, setMaking] = useState<{ from?: Version }>()
  const org = useSession().organization.resourceId
  const list = useQuery(agreementsQuery(org))
  const rows = list.data ?? []
  const opened = one(search['version'])
  const version = rows.find(({ id }) => String(id) === opened)
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking({})}>
      {t('agreements-admin.new')}
    </Button>
  )
  return (
    <ListPage
      title={t('shell.section.agreements-admin')}
      help={t('agreements-admin.help')}
      actions={add}
      name="agreements-admin"
      columns={useVersionColumns(rows, now)}
      rows={rows}
      rowId={({ id }) => String(id)}
      selected={opened}
      onOpen={({ id }) => void change({ version: id })}
      list={list}
      none={{
        title: t('agreements-admin.none'),
        text: t('agreements-admin.noneText'),
        action: add,
      }}
      panel={
        version && (
          <VersionPanel
            key={version.id}
            version={version}
            onClose={() => void change({ version: undefined })}
            onNext={() => setMaking({ from: version })}
          />
        )
      }
    >
      {making && (
        <VersionDialog
          {...making}
          onClose={() => setMaking(undefined)}
          onMade={({ id }) => {
            setMaking(undefined)
            void change({ version: id })
          }}
        />
      )}
    </ListPage>
  )
}
