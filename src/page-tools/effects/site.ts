// Which site an address belongs to.

/** The origin of another site, or the scheme of a URL such as `mailto:`; undefined for this site. */
export function siteOf(url: URL): string | undefined {
  if (/^(javascript|data|about):$/.test(url.protocol)) return undefined
  if (/^(https?|blob):$/.test(url.protocol)) return url.origin === location.origin ? undefined : url.origin
  return url.protocol
}
