const { describeApi } = await import('/work/h/d/worker/http/openapi.ts');
const d = describeApi();
console.log(JSON.stringify({...d, paths: undefined}));
for (const p of ['/posts/{id}/found','/login','/posts/{id}/photos','/feedback','/health','/posts/{id}','/admin/log','/posts']) console.log(p, JSON.stringify(d.paths[p]).slice(0,2500));
