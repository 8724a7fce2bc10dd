import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

type Bring = <T>(load: () => Promise<T>) => Promise<T>

/** Loader of files that come later; the portal's own waits while its server is away. */
export const files: { bring: Bring } = { bring: (load) => load() }

type PropsOf<File, Name extends keyof File> = File[Name] extends (props: infer Props) => ReactNode
  ? Props
  : never
type Late<File, Name extends keyof File> = (props: PropsOf<File, Name>) => ReactNode

/** Component of a file that comes when it is first shown; until then the fallback, else nothing. */
export function late<File, Name extends keyof File>(
  load: () => Promise<File>,
  name: Name,
  fallback: ReactNode = null,
) {
  const Loaded = loaded(load, name)
  const shown = (props: object) => (
    <Suspense fallback={fallback}>
      <Loaded {...props} />
    </Suspense>
  )
  return shown as unknown as Late<File, Name> // the file's own props
}

/** The same without a fallback of its own: a `Suspense` around it has one. */
export const lazyFile = <File, Name extends keyof File>(load: () => Promise<File>, name: Name) =>
  loaded(load, name) as unknown as Late<File, Name> // the file's own props

const loaded = <File, Name extends keyof File>(load: () => Promise<File>, name: Name) =>
  lazy(async () => {
    const file = await files.bring(load)
    return { default: file[name] as unknown as ComponentType<object> } // late and lazyFile give its type
  })
