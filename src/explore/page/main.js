// The page of gate explore: reads the data and shows what it is about.

function start() {
    const data = JSON.parse(document.getElementById("gate-data").textContent);
    const headline = document.createElement("h1");
    headline.textContent = data.file + ": " + data.pipelines[0].functions.length + " functions";
    document.getElementById("page").append(headline);
}

start();
