import { PageHeader, Panel } from '@longreach/ui/PageHeader'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../parts/api/api.ts'
import { useSession } from '../../../parts/session/session.ts'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import { Breadcrumb } from '../../../parts/pages/Breadcrumb.tsx'
import classes from './import.module.css'
import { ImportForm } from './ImportForm.tsx'
import { ImportWork } from './ImportWork.tsx'

/** Many devices from a table: what each line would do, then the doing, then the sheet with the keys. */
export function Component() {
  const t = useWords()
  const [search, change] = useSearch()
  const id = Number(one(search['import']))
  const open = (importId: number | undefined) => void change({ import: importId }, { push: true })
  return (
    <div className={classes.page}>
      <PageHeader
        title={t('device-import.title')}
        help={t('device-import.help')}
        trail={<Breadcrumb to="/devices" section="devices" />}
      />
      {Number.isInteger(id) && id > 0 ? (
        <ImportWork key={id} id={id} onClose={() => open(undefined)} />
      ) : (
        <>
          <ImportForm onStarted={open} />
          <Before onOpen={open} />
        </>
      )}
    </div>
  )
}

/** Imports of the last seven days, whose keys can still be shown. */
function Before({ onOpen }: { onOpen: (id: number) => void }) {
  const t = useWords()
  const organization = useSession().organization.resourceId
  const { data } = useQuery(query(api.mappings.deviceImports, { query: { organization } }))
  const imports = data?.data ?? []
  if (imports.length === 0) return null
  return (
    <Panel title={t('device-import.before')}>
      <ul className={classes.before}>
        {imports.map(({ id, name, made, total, createdAt, shownUntil }) => (
          <li key={id}>
            <Button variant="subtle" size="compact-sm" onClick={() => onOpen(id)}>
              {name === '' ? t('device-import.pasted') : name}
            </Button>
            <span>{t('device-import.madeOf', { made, total })}</span>
            <RelativeTime at={createdAt} />
            <span className={classes.dim}>{t('device-import.until', { time: shownUntil })}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
