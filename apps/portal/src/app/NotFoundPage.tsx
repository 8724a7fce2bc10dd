import { Button } from '@mantine/core'
import { EmptyState } from '@longreach/ui/EmptyState'
import { Page, PageHeader, Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Link } from '@tanstack/react-router'

/** For an address that leads nowhere. */
export function NotFoundPage() {
  const t = useWords()
  return (
    <Page>
      <PageHeader title={t('shell.notFound.title')} />
      <Panel>
        <EmptyState
          kind="filtered"
          title={t('shell.notFound.what')}
          text={t('shell.notFound.text')}
          action={
            <Button component={Link} to="/home">
              {t('shell.notFound.home')}
            </Button>
          }
        />
      </Panel>
    </Page>
  )
}
