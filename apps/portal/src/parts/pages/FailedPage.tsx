import { AppError } from '@longreach/kit/errors'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Page, PageHeader, Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Anchor, Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useErrorText } from '../words/error-text.ts'
import { useOpenPalette } from './palette.ts'

/** The lists that things of a kind stand in, and where deleted ones wait. */
const places = {
  device: { list: '/devices', section: 'devices', trash: '/devices/trash' },
  model: { list: '/models', section: 'models' },
  preset: { list: '/presets', section: 'presets' },
  role: { list: '/roles', section: 'roles' },
  group: { list: '/devices/groups', section: 'device-groups' },
} as const
type Kind = keyof typeof places

type Props = { kind: Kind; error: unknown; onRetry?: () => void }

/** Stands where one thing should: it is not there, with the ways on from here; or why it could not be loaded. */
export function FailedPage({ kind, error, onRetry }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const { list, section } = places[kind]
  if (isMissing(error)) return <MissingPage kind={kind} />
  return (
    <Page>
      <PageHeader title={t(`errors.kind.${kind}`)} />
      <ErrorPanel {...errorText(error)} onRetry={onRetry} />
      <Anchor component={Link} to={list}>
        {t(`shell.section.${section}`)}
      </Anchor>
    </Page>
  )
}

function MissingPage({ kind }: { kind: Kind }) {
  const t = useWords()
  const search = useOpenPalette()
  const { list, section, ...more } = places[kind]
  return (
    <Page>
      <PageHeader title={t(`errors.missing.${kind}`)} />
      <Panel>
        <EmptyState
          kind="nothing"
          title={t(`errors.missing.${kind}`)}
          text={t('errors.missing.text')}
          action={
            <Group justify="center">
              <Button variant="default" onClick={search}>
                {t('errors.missing.search')}
              </Button>
              {'trash' in more && (
                <Button variant="default" component={Link} to={more.trash}>
                  {t('errors.missing.trash')}
                </Button>
              )}
              <Button component={Link} to={list}>
                {t(`shell.section.${section}`)}
              </Button>
            </Group>
          }
        />
      </Panel>
    </Page>
  )
}

/** The thing is not there for this person; an address that no thing can have counts as well. */
export const isMissing = (error: unknown) =>
  error instanceof AppError && [400, 404, 422].includes(error.status)
