#include "report/html/sections.h"

namespace wattproof::report {

// Colours are those of resources/theme.json; a report is read without the program, so they stand in the page itself.
const char *pageStyle() {
    return R"css(
:root{color-scheme:light dark;--bg:#fff;--panel:#f6f7f9;--grid:#e3e6ea;--text:#1b1f24;--muted:#5b6570;--accent:#2f6feb;
--good:#1a7f37;--warn:#9a6700;--bad:#cf222e}
@media (prefers-color-scheme:dark){:root{--bg:#15181c;--panel:#1c2026;--grid:#2b313a;--text:#e6e9ed;--muted:#9aa4af;
--accent:#6ea8fe;--good:#4ac26b;--warn:#d4a72c;--bad:#ff7b72}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1080px;padding:24px 24px 64px;background:var(--bg);color:var(--text);
font:15px/1.5 system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums}
h1{font-size:26px;margin:0 0 4px}h2{font-size:19px;margin:40px 0 12px;padding-bottom:4px;border-bottom:1px solid var(--grid)}
h3{font-size:16px;margin:28px 0 8px}h4{font-size:14px;margin:16px 0 4px;color:var(--muted)}
p{margin:8px 0;max-width:80ch}.muted{color:var(--muted)}.small{font-size:13px}
a{color:var(--accent)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;margin:8px 0;min-width:50%}
th,td{text-align:left;padding:4px 12px 4px 0;border-bottom:1px solid var(--grid);vertical-align:top}
th{color:var(--muted);font-weight:600;font-size:13px}.number{text-align:right;white-space:nowrap}
td{overflow-wrap:anywhere}
pre{background:var(--panel);border:1px solid var(--grid);border-radius:3px;padding:8px 12px;overflow-x:auto;
white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.45 ui-monospace,"DejaVu Sans Mono",monospace;margin:4px 0}
.headline{display:flex;flex-wrap:wrap;gap:24px;background:var(--panel);border:1px solid var(--grid);border-radius:3px;
padding:16px;margin:16px 0}
.headline .figure{font-size:30px;font-weight:650;line-height:1.2}.headline .label{color:var(--muted);font-size:13px}
.banner{border-left:4px solid var(--warn);background:var(--panel);padding:8px 12px;margin:12px 0}
.finding{border:1px solid var(--grid);border-radius:3px;padding:4px 16px 16px;margin:16px 0}
.tag{display:inline-block;border:1px solid var(--grid);border-radius:3px;padding:0 8px;margin-right:8px;font-size:13px}
.bad{color:var(--bad)}.good{color:var(--good)}.warn{color:var(--warn)}
.picture{background:#fff;border:1px solid var(--grid);border-radius:3px;padding:4px;margin:12px 0;overflow-x:auto}
.picture svg{display:block;max-width:100%;height:auto}
details{margin:8px 0}summary{cursor:pointer;color:var(--muted)}
@media print{body{max-width:none;padding:0;font-size:11pt}.finding,.headline,tr,pre,.picture{break-inside:avoid}
h2,h3{break-after:avoid}details>*{display:block}a{color:inherit;text-decoration:none}}
)css";
}

}  // namespace wattproof::report
