import { useWords } from '@longreach/ui/use-words'
import { Button, Group, Text } from '@mantine/core'
import { SignInHeading } from './SignInHeading.tsx'

type Props = { name: string; goOn: () => void; leave: () => Promise<void> }

/** Says that somebody else has signed in in this browser, before the tab becomes theirs. */
export function OtherPersonPage({ name, goOn, leave }: Props) {
  const t = useWords()
  return (
    <>
      <SignInHeading title={t('door.otherPerson.title', { name })} />
      <Text>{t('door.otherPerson.text', { name })}</Text>
      <Group mt="md">
        <Button onClick={goOn}>{t('door.otherPerson.goOn', { name })}</Button>
        <Button variant="default" onClick={() => void leave()}>
          {t('door.otherPerson.leave')}
        </Button>
      </Group>
    </>
  )
}
