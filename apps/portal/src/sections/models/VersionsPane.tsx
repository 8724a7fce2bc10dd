import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Anchor, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, query } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useSession } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { ChangesList } from './ChangesList.tsx'
import { type Model, useVersions } from './model-calls.ts'
import shared from './models.module.css'
import classes from './VersionsPane.module.css'
import { ContentPending } from '../../parts/pages/ContentPending.tsx'

/** All versions of a model, and what is another between two of them. */
export function VersionsPane({ model }: { model: Model }) {
  const t = useWords()
  const { data: versions, error, refetch } = useVersions(model)
  const [search, change] = useSearch()
  if (error || !versions) return <ContentPending {...{ error, refetch }} rows={4} />
  const at = versions.findIndex(({ id }) => id === model.id)
  const find = (version: string | undefined) => versions.find((each) => each.version === version)
  const after = find(one(search['to'])) ?? versions[Math.max(0, at)]
  const before = find(one(search['from'])) ?? versions[at + 1] ?? versions.at(-1)
  const choices = versions.map(({ version }) => version)
  return (
    <div className={classes.versions}>
      <section className={shared.card}>
        <h2 className={shared.subhead}>{t('models.tab.versions')}</h2>
        <ul className={shared.plainList}>
          {versions.map(({ id, version, creationDate }) => (
            <li key={id} className={shared.listLine}>
              <Anchor
                component={Link}
                to={`/models/${id}`}
                inherit
                aria-current={id === model.id ? 'true' : undefined}
                fw={id === model.id ? 600 : undefined}
              >
                {version}
              </Anchor>
              <span className={shared.dim}>
                <RelativeTime at={creationDate} />
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section className={shared.card}>
        <h2 className={shared.subhead}>{t('models.compare')}</h2>
        <div className={shared.pair}>
          <Select
            label={t('models.compareFrom')}
            data={choices}
            value={before?.version ?? null}
            allowDeselect={false}
            onChange={(from) => void change({ from: from ?? undefined })}
          />
          <Select
            label={t('models.compareTo')}
            data={choices}
            value={after?.version ?? null}
            allowDeselect={false}
            onChange={(to) => void change({ to: to ?? undefined })}
          />
        </div>
        {before && after && <Comparison before={before} after={after} />}
      </section>
    </div>
  )
}

function Comparison({ before, after }: { before: Model; after: Model }) {
  const t = useWords()
  const errorText = useErrorText()
  const organization = useSession().organization.resourceId
  const body = { modelId: before.id, data: after.json ?? {} }
  const { data, error } = useQuery(
    query(api.mappings.validateModel, { query: { organization }, body }),
  )
  if (error) return <ErrorPanel {...errorText(error)} />
  if (!data) return <RowsSkeleton rows={3} />
  if (data.changes.length === 0) return <p className={shared.dim}>{t('models.noDifference')}</p>
  return <ChangesList changes={data.changes} />
}
