import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { ApiError, ConnectionError } from '../../../clients/typescript/src/index.ts'
import { SignedOutError } from '../api/client.ts'
import { useText } from '../kernel/text.tsx'
import { Button, Notice } from './controls.tsx'
import { UI_TEXTS } from './texts.ts'

interface PageProps {
  readonly title: string
  /** Filters and actions of the whole page. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The path whose heading got the focus last; the first page leaves the focus where the browser puts it. */
let focusedPath: string | undefined

/**
 * The heading of a page, which is also the title of the document. After a change of the page it gets the focus, so that
 * screen readers read it and the next Tab leads into the page.
 */
export function PageHeading({ title }: { readonly title: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Not the location under way, for which the previous page is still shown.
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  useEffect(() => {
    document.title = `${title} · Netsaat`
  }, [title])
  useEffect(() => {
    if (pathname === undefined) return
    if (focusedPath !== undefined && focusedPath !== pathname) heading.current?.focus({ preventScroll: true })
    focusedPath = pathname
  }, [pathname])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {title}
    </h1>
  )
}

/** A page: its heading, its actions, and its content. */
export function Page({ title, actions, children }: PageProps) {
  return (
    <>
      <div className="page-head">
        <PageHeading title={title} />
        {actions !== undefined && <div className="actions">{actions}</div>}
      </div>
      {children}
    </>
  )
}

export function useErrorText(): (error: unknown) => string {
  const t = useText()
  return (error) => {
    if (error instanceof ConnectionError) return t(UI_TEXTS.UI_NO_CONNECTION())
    if (error instanceof SignedOutError) return t(UI_TEXTS.UI_SIGNED_OUT())
    if (error instanceof ApiError)
      return error.requestId === undefined || error.status < 500
        ? error.message
        : `${error.message} (${error.requestId})`
    return t(UI_TEXTS.UI_UNEXPECTED_ERROR())
  }
}

export interface Query<Data> {
  readonly data: Data | undefined
  readonly error: unknown
  readonly refetch: () => unknown
}

/** The data of a read, or that it is loading, or why it failed. Stale data stay visible with the error above them. */
export function Loaded<Data>({
  query,
  children,
}: {
  readonly query: Query<Data>
  readonly children: (data: Data) => ReactNode
}) {
  const t = useText()
  const errorText = useErrorText()
  const { data, error } = query
  return (
    <>
      {error !== null && error !== undefined && (
        <Notice tone="danger">
          <p>{errorText(error)}</p>
          <Button onPress={() => void query.refetch()}>{t(UI_TEXTS.UI_TRY_AGAIN())}</Button>
        </Notice>
      )}
      {data === undefined && !error && <p role="status">{t(UI_TEXTS.UI_LOADING())}</p>}
      {data !== undefined && children(data)}
    </>
  )
}
