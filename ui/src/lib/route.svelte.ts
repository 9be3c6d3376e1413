// Where one is: the address, read and changed without loading the page again.
const plain = (path: string): string => path.replace(/\/+$/, '') || '/'

class Route {
  path = $state(plain(location.pathname))
  query = $state(location.search)

  constructor() {
    addEventListener('popstate', () => this.#look())
    document.addEventListener('click', (event) => {
      const link = (event.target as Element | null)?.closest?.('a')
      const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
      if (!link || !plain || link.origin !== location.origin || link.target || link.hasAttribute('download')) return
      if (link.pathname.startsWith('/api/') || link.pathname.startsWith('/schema/')) return
      if (link.pathname === location.pathname && link.hash) return
      event.preventDefault()
      this.go(link.pathname + link.search)
    })
  }

  go(to: string): void {
    history.pushState(null, '', to)
    this.#look()
    scrollTo(0, 0)
  }

  #look(): void {
    this.path = plain(location.pathname)
    this.query = location.search
  }
}

export const route = new Route()
