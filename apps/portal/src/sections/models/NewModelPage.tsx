import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { ListSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useErrorText } from '../../parts/words/error-text.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { useModel } from './model-calls.ts'
import { ModelEditor } from './ModelEditor.tsx'
import type { ModelFile } from './model-file.ts'

declare module '@tanstack/react-router' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface joins the one of the router
  interface HistoryState {
    /** Model of a file that the list imported. */
    imported?: ModelFile
  }
}

const empty: ModelFile = { name: '', root: { type: 'object', properties: {} } }

/** A model that is not there yet: empty, from a file, or begun as a copy. */
export function Component() {
  const [search] = useSearch()
  const state = useRouterState({ select: ({ location }) => location.state })
  const [imported] = useState(state.imported)
  const from = one(search['from'])
  if (imported) return <ModelEditor start={imported} begun />
  return from === undefined ? <ModelEditor start={empty} /> : <Copy from={from} />
}

function Copy({ from }: { from: string }) {
  const t = useWords()
  const errorText = useErrorText()
  const { data, error, refetch } = useModel(from)
  if (error) {
    return (
      <Page>
        <PageHeader title={t('models.new')} />
        <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />
      </Page>
    )
  }
  if (!data) return <ListSkeleton />
  return <Begun key={data.id} file={{ name: `${data.name}_copy`, root: data.json ?? {} }} />
}

function Begun({ file }: { file: ModelFile }) {
  const [start] = useState(file)
  return <ModelEditor start={start} begun />
}
