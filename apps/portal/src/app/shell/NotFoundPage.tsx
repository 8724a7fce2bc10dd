import { Button, Group } from '@mantine/core'
import { EmptyState } from '@longreach/ui/EmptyState'
import { Page, PageHeader, Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Link } from '@tanstack/react-router'
import { useOpenPalette } from '../../parts/pages/palette.ts'

/** For an address that leads nowhere. */
export function NotFoundPage() {
  const t = useWords()
  const search = useOpenPalette()
  return (
    <Page>
      <PageHeader title={t('shell.notFound.title')} />
      <Panel>
        <EmptyState
          kind="missing"
          title={t('shell.notFound.what')}
          text={t('shell.notFound.text')}
          action={
            <Group justify="center">
              <Button variant="default" onClick={search}>
                {t('errors.missing.search')}
              </Button>
              <Button component={Link} to="/home">
                {t('shell.notFound.home')}
              </Button>
            </Group>
          }
        />
      </Panel>
    </Page>
  )
}
