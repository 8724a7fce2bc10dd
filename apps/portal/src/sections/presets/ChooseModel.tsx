import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Page, PageHeader, Panel } from '@longreach/ui/PageHeader'
import { SearchField } from '@longreach/ui/SearchField'
import { ListSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconChevronRight } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useHere } from './preset-calls.ts'
import { Breadcrumb } from '../../parts/pages/Breadcrumb.tsx'
import shared from './presets.module.css'
import classes from './ChooseModel.module.css'

/** A new preset begins with a model. */
export function ChooseModel() {
  const t = useWords()
  const [text, setText] = useState('')
  return (
    <Page>
      <PageHeader
        title={t('presets.new')}
        trail={<Breadcrumb to="/presets" section="presets" />}
        help={t('presets.chooseModelHelp')}
      />
      <Panel title={t('presets.model')}>
        <SearchField
          wide
          className={classes.narrow}
          label={t('presets.findModel')}
          text={text}
          onText={setText}
        />
        <Models text={text.trim()} />
      </Panel>
    </Page>
  )
}

function Models({ text }: { text: string }) {
  const t = useWords()
  const here = useHere()
  const errorText = useErrorText()
  const [search] = useDebouncedValue(text, 250)
  const { data, error, refetch } = useQuery({
    ...query(api.mappings.models, {
      query: {
        ...here,
        page: 0,
        pageSize: 100,
        omitContent: true,
        usage: true,
        ...(search !== '' && { search }),
      },
    }),
    placeholderData: keepPreviousData,
  })
  if (error) return <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />
  if (!data) return <ListSkeleton />
  if (data.data.length === 0 && search === '') return <NoModels />
  if (data.data.length === 0) return <p className={shared.dim}>{t('presets.noModelFound')}</p>
  return (
    <ul className={classes.models}>
      {data.data.map(({ id, name, version, usage }) => (
        <li key={id}>
          <Link to="/presets/new" search={{ model: id }}>
            <strong>{name}</strong>
            <span>{version}</span>
            <span>{t('presets.modelUsed', { presets: usage?.presets ?? 0 })}</span>
            <IconChevronRight size={15} stroke={1.6} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

function NoModels() {
  const t = useWords()
  return (
    <EmptyState
      kind="nothing"
      title={t('presets.noModels')}
      text={t('presets.noModelsText')}
      action={
        <Button component={Link} to="/models/new">
          {t('presets.newModel')}
        </Button>
      }
    />
  )
}
