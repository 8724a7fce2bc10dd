import { LanguageMenu, SchemeMenu } from './LookMenus.tsx'
import { UserMenu } from './UserMenu.tsx'

/** The menus at the right of the top bar; loaded after the page has drawn. */
export function TopBarMenus({ person }: { person: boolean }) {
  return (
    <>
      <LanguageMenu />
      <SchemeMenu />
      {person && <UserMenu />}
    </>
  )
}
